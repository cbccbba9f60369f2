"""No tracked folder holds more than 60 files.

    folder_size.py ROOT
"""

import collections
import pathlib
import subprocess
import sys

FILES_MAX = 60


def complaints(names):
    folders = collections.Counter(str(pathlib.PurePosixPath(name).parent) for name in names)
    for folder, files in sorted(folders.items()):
        if files > FILES_MAX:
            yield f"{folder}: {files} files, at most {FILES_MAX}"


def main():
    command = ["git", "-C", sys.argv[1], "ls-files", "-z"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.split("\0") if name]
    found = list(complaints(names))
    print("\n".join(found + [f"{len(names)} files, {len(found)} complaints"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
