"""What a program that ended may have left on the machine: processes, mounts, loop devices, groups.

Each function gives a line for each thing found, of one folder or session alone, so that other
programs on the machine are not taken for it.
"""

import os
import pathlib
import shutil

import program


def of_session(session):
    """Processes of a session that still run, but for those that have ended already."""
    found = []
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            found.append(int(stat.parent.name))
    return found


def guards():
    """The processes that undo what a killed command has changed."""
    found = []
    for comm in pathlib.Path("/proc").glob("[0-9]*/comm"):
        try:
            if comm.read_text().strip() == "hdbench-guard":
                found.append(int(comm.parent.name))
        except OSError:
            pass
    return found


def wait_for_session(session, patience=program.PATIENCE_SECONDS):
    """Waits until a session's last process has ended; False where one goes on."""
    return program.wait_until(lambda: not of_session(session), patience)


def mounts(folder):
    lines = pathlib.Path("/proc/self/mountinfo").read_text().splitlines()
    return [f"mount {line.split()[4]}" for line in lines
            if line.split()[4].startswith(f"{folder}/")]


def loops(folder):
    found = []
    for loop in pathlib.Path("/sys/block").glob("loop*"):
        try:
            backing = (loop / "loop/backing_file").read_text().strip()
        except OSError:
            continue
        if backing.startswith(f"{folder}/"):
            found.append(f"loop device {loop.name} of {backing}")
    return found


def tool(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def filesystems():
    """Those that can be made and mounted here."""
    known = pathlib.Path("/proc/filesystems").read_text().split()
    return [name for name in ("ext4", "xfs", "btrfs") if tool(f"mkfs.{name}") and name in known]


def why_not_compare():
    """Why filesystems cannot be compared here; empty: they can."""
    if os.geteuid() != 0 or not pathlib.Path("/dev/loop-control").exists():
        return "not root, or no loop devices"
    found = filesystems()
    return "" if len(found) > 1 else f"fewer than two filesystems: {found}"


def groups():
    """Control groups of hdbench's, as paths."""
    root = "/sys/fs/cgroup"
    return {path for path, _, _ in os.walk(root) if "/hdbench-" in path}


def of_folder(folder):
    return mounts(folder) + loops(folder)


def folder_of(process):
    """Where a process works and what it has open, as text."""
    found = []
    for link in [pathlib.Path(f"/proc/{process}/cwd"),
                 *pathlib.Path(f"/proc/{process}/fd").glob("*")]:
        try:
            found.append(os.readlink(link))
        except OSError:
            pass
    return " ".join(found)
