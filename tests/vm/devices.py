"""The QEMU flags of each kind of memory that the virtual machine can have."""


def backend(name, path, mebibytes):
    return ["-object", f"memory-backend-file,share=on,id={name},mem-path={path},"
                       f"size={mebibytes}M,align=128M"]


def nvdimm(name, path, mebibytes, node=0):
    return backend(name, path, mebibytes) + ["-device",
                                             f"nvdimm,id=dimm-{name},memdev={name},node={node}"]


def virtio_pmem(name, path, mebibytes):
    return backend(name, path, mebibytes) + ["-device",
                                             f"virtio-pmem-pci,id=pci-{name},memdev={name}"]


def plain(mebibytes):
    """One node, with sockets for NVDIMMs."""
    return ["-machine", "q35,nvdimm=on", "-m", f"{mebibytes}M,slots=4,maxmem=8G"]


def nodes(mebibytes):
    """Node 0 with the CPU, all memory and a memory-side cache before it; node 1, empty until an
    NVDIMM becomes its memory; HMAT says that node 1 is slower."""
    flags = ["-machine", "q35,nvdimm=on,hmat=on", "-m", f"{mebibytes}M,slots=4,maxmem=8G",
             "-object", f"memory-backend-ram,id=ram0,size={mebibytes}M",
             "-numa", "node,nodeid=0,cpus=0,memdev=ram0", "-numa", "node,nodeid=1,initiator=0"]
    for node, latency_ns, mebibytes_per_s in [(0, 80, 100_000), (1, 300, 30_000)]:
        path = f"hmat-lb,initiator=0,target={node},hierarchy=memory"
        flags += ["-numa", f"{path},data-type=access-latency,latency={latency_ns}",
                  "-numa", f"{path},data-type=access-bandwidth,bandwidth={mebibytes_per_s}M"]
    return flags + ["-numa", "hmat-cache,node-id=0,size=131072K,level=1,associativity=direct,"
                             "policy=write-back,line=64"]


def two_sockets(mebibytes):
    """Two nodes, each with a CPU and half of the memory."""
    flags = ["-machine", "q35", "-smp", "2", "-m", f"{mebibytes}M"]
    for node in range(2):
        flags += ["-object", f"memory-backend-ram,id=half{node},size={mebibytes // 2}M",
                  "-numa", f"node,nodeid={node},cpus={node},memdev=half{node}"]
    return flags


def cxl(mebibytes, device, labels):
    """A persistent CXL device behind one of two root ports: with one port alone QEMU's data reads
    as zeros."""
    return ["-machine", "q35,cxl=on,cxl-fmw.0.targets.0=bridge,cxl-fmw.0.size=4G",
            "-m", f"{mebibytes}M,slots=4,maxmem=8G",
            "-object", f"memory-backend-file,share=on,id=cxl-data,mem-path={device},size=256M",
            "-object", f"memory-backend-file,share=on,id=cxl-labels,mem-path={labels},size=1M",
            "-device", "pxb-cxl,bus_nr=12,bus=pcie.0,id=bridge",
            "-device", "cxl-rp,port=0,bus=bridge,id=port0,chassis=0,slot=2",
            "-device", "cxl-rp,port=1,bus=bridge,id=port1,chassis=0,slot=3",
            "-device", "cxl-type3,bus=port0,memdev=cxl-data,lsa=cxl-labels,id=cxl0"]
