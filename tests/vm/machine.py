"""A virtual machine with memory that this one lacks, in QEMU's software emulation.

The kernel is Debian's image package, downloaded and unpacked; the root is an initramfs with the
program, its libraries and a few tools. Nothing here is ever timed: the emulation proves code paths.
"""

import os
import pathlib
import re
import shutil
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
BOOT_SECONDS = 170
TOOLS = ["ndctl", "daxctl", "cxl", "mkfs.ext4"]
MODULES = """crc32c_generic libcrc32c crc16 mbcache jbd2 ext4 virtio_ring virtio
    virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci libnvdimm nd_btt nd_pmem nd_e820 nfit
    dax_pmem device_dax kmem dax_hmem nd_virtio virtio_pmem
    cxl_acpi cxl_pci cxl_mem cxl_pmem""".split()


class Absent(Exception):
    """What the virtual machine needs and this system does not have."""


def output_of(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def require_tools():
    for tool in ["qemu-system-x86_64", "cpio", "depmod", "dpkg", "/bin/busybox", *TOOLS]:
        if shutil.which(tool) is None:
            raise Absent(f"{tool} is not installed (packages.txt, heading vm)")


def unpacked_kernel(folder):
    """The Debian kernel's files below a folder: downloaded once, installed never."""
    root = folder / "kernel"
    if not any(root.glob("boot/vmlinuz-*")):
        depends = subprocess.run(["apt-cache", "depends", "linux-image-amd64"], text=True,
                                 capture_output=True, check=False).stdout
        package = re.search(r"Depends: (linux-image-\S+)", depends)
        if package is None:
            raise Absent("apt knows no package linux-image-amd64")
        folder.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["apt-get", "-qq", "download", package[1]], cwd=folder, text=True,
                              capture_output=True, check=False)
        archives = sorted(folder.glob("linux-image-*.deb"))
        if done.returncode != 0 or not archives:
            raise Absent(f"{package[1]} cannot be downloaded: {done.stderr.strip()}")
        output_of("dpkg", "-x", archives[-1], root)
        for archive in archives:
            archive.unlink()
    return root


def in_order(kernel):
    """The modules' files, each after those that it needs."""
    release = next(kernel.glob("lib/modules/*"))
    if not (release / "modules.dep").exists():
        output_of("depmod", "-b", kernel, release.name)
    needs = {}
    for line in (release / "modules.dep").read_text(encoding="utf-8").splitlines():
        path, _, others = line.partition(":")
        needs[path] = others.split()
    by_name = {pathlib.Path(path).stem.replace("-", "_"): path for path in needs}
    ordered = []
    for name in MODULES:
        path = by_name[name]
        ordered += [one for one in [*reversed(needs[path]), path] if one not in ordered]
    return [release / path for path in ordered]


def libraries_of(program):
    found = re.findall(r"(?:=> )?(/\S+) \(0x", output_of("ldd", program))
    return [pathlib.Path(path) for path in found]


def make_root(folder, kernel, binary, queries):
    """An initramfs: busybox, the tools, the program, their libraries, the modules and the steps."""
    root = folder / "root"
    shutil.rmtree(root, ignore_errors=True)
    for name in ["bin", "modules", "proc", "sys", "dev", "tmp", "mnt"]:
        (root / name).mkdir(parents=True)
    shutil.copy("/bin/busybox", root / "bin/busybox")
    programs = [pathlib.Path(binary)] + [pathlib.Path(shutil.which(tool)) for tool in TOOLS]
    for program in programs:
        shutil.copy(program, root / "bin" / program.name)
        for library in libraries_of(program):
            target = root / library.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, target)
    modules = in_order(kernel)
    for module in modules:
        shutil.copy(module, root / "modules")
    (root / "modules/order").write_text("".join(f"{module.name}\n" for module in modules),
                                        encoding="utf-8")
    shutil.copy(HERE / "guest/init", root / "init")
    shutil.copy(HERE / "guest/steps.sh", root / "steps.sh")
    shutil.copy(queries, root / "paper-counted.q")
    (root / "init").chmod(0o755)
    image = folder / "root.cpio"
    names = "\n".join(str(path.relative_to(root)) for path in sorted(root.rglob("*")))
    with image.open("wb") as out:
        subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], input=names.encode(),
                       stdout=out, cwd=root, check=True)
    shutil.rmtree(root)
    return image


class Step:
    def __init__(self, text, status):
        self.text = text
        self.status = status
        self.json = text.partition("#json\n")[2]


class Machine:
    """Boots with devices that every boot shares; the images below `folder` outlive a boot."""

    def __init__(self, folder, kernel, root, name):
        self.folder = pathlib.Path(folder)
        self.kernel = next(kernel.glob("boot/vmlinuz-*"))
        self.root = root
        self.name = name
        self.log = self.folder / f"{name}.log"

    def image(self, name, mebibytes):
        """A file behind an NVDIMM: zeros at first, then what the guest left there."""
        path = self.folder / f"{self.name}-{name}.img"
        if not path.exists():
            with path.open("wb") as out:
                out.truncate(mebibytes << 20)
        return path

    def command(self, devices, steps):
        console = self.folder / f"{self.name}.console"
        return ["qemu-system-x86_64", "-accel", "tcg,thread=single", "-cpu", "max", "-smp", "1",
                "-nodefaults", "-no-reboot", "-display", "none",
                "-kernel", str(self.kernel), "-initrd", str(self.root),
                "-append", f"console=ttyS0 panic=-1 quiet steps={','.join(steps)}",
                "-serial", f"file:{console}", "-serial", f"file:{self.log}", *devices]

    def boot(self, devices, steps, cut=None):
        """Runs the steps; gives {step: Step}. `cut`: (text, seconds): the machine is killed so long
        after the guest has said that, as a power cut would."""
        self.log.unlink(missing_ok=True)
        with subprocess.Popen(self.command(devices, steps), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, "LC_ALL": "C"}) as process:
            deadline = time.monotonic() + BOOT_SECONDS
            while process.poll() is None:
                if cut is not None and cut[0] in self.said():
                    time.sleep(cut[1])
                    process.kill()
                    process.wait()
                    return steps_of(self.said())
                if time.monotonic() > deadline:
                    process.kill()
                    raise RuntimeError(f"{self.name}: not done after {BOOT_SECONDS} s; it said:\n"
                                       f"{self.said()[-2000:]}")
                time.sleep(0.02)
            if process.returncode != 0:
                raise RuntimeError(f"{self.name}: {process.stderr.read().strip()}")
        if "#off" not in self.said():
            raise RuntimeError(f"{self.name}: the guest did not come to its end; it said:\n"
                               f"{self.said()[-2000:]}")
        return steps_of(self.said())

    def said(self):
        if not self.log.exists():
            return ""
        return self.log.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")


def steps_of(text):
    """What the guest said, by step; one that was cut short has no status."""
    steps = {}
    for part in text.split("#begin ")[1:]:
        name, _, rest = part.partition("\n")
        said, ended, after = rest.partition(f"#end {name} ")
        steps[name] = Step(said, int(after.split()[0]) if ended else None)
    return steps
