# shellcheck shell=sh
# What the virtual machine does: one function a step, named on the kernel's command line. Sourced by
# init, inside the guest; each step runs under `set -e` in a shell of its own.

set_of_cells="--queries /paper-counted.q --layout partitioned,flat --attr none,parted --mode 4.0
  --cache warm --reps 1 -s 1"

topo() {
  hdbench topo
  if hdbench topo --help | grep -q -- --json; then
    echo "#json"
    hdbench topo --json
  fi
}

hardware() {
  ndctl list -RN
  daxctl list
  cat /sys/devices/system/node/node*/meminfo | grep MemTotal
}

# /dev/pmemN of a new namespace in the region given. A namespace shows up as raw first, without DAX.
fsdax() {
  ndctl create-namespace -f -e "namespace$1.0" -m fsdax --map=mem
  mkfs.ext4 -q -F -b 4096 -E nodiscard "/dev/pmem$1"
  mount_pmem "$1"
}

mount_pmem() {
  mkdir -p "/mnt/pmem$1"
  mount -t ext4 -o dax "/dev/pmem$1" "/mnt/pmem$1"
}

nvdimm_fsdax() { fsdax 0; }
mount_nvdimm() { mount_pmem 0; }

nvdimm_devdax() { ndctl create-namespace -f -e namespace1.0 -m devdax; }

# The namespace as a device without files, before it becomes a node.
device_dax() { eleven dram,app-direct --pmem-dir /dev/dax1.0; }

nvdimm_system_ram() {
  daxctl reconfigure-device --mode=system-ram dax1.0
}

virtio_pmem() {
  mkfs.ext4 -q -F -b 4096 -E nodiscard /dev/pmem2
  mount_pmem 2
  hdbench topo --pmem-dir /mnt/pmem2
}

generate() { hdbench gen /tmp/db --profile paper --scale 0.001 --parted col3 --threads 1; }

# The eleven queries on the media given; further flags after them.
eleven() {
  media=$1
  shift
  # shellcheck disable=SC2086
  hdbench run /tmp/db --medium "$media" $set_of_cells "$@" --out /tmp/results.json
  echo "#json"
  cat /tmp/results.json
  echo
}

app_direct() { eleven dram,app-direct; }

# Two columns in persistent memory, the others in DRAM.
placed() { eleven dram --place bid,ask=app-direct; }

# The node that was made of an NVDIMM, by its number.
far_node() {
  if ! hdbench topo | grep -q '^numa:1 '; then
    echo "#left-out topo lists no medium numa:1"
    return
  fi
  eleven dram,numa:1
}

# Local, remote and interleaved memory, on the threads of one node and of both.
two_nodes() {
  set_of_cells="$set_of_cells,2"
  eleven dram,numa:0,numa:1
}

# Labels can be written only before the region holds the device.
cxl_fsdax() {
  cxl list -M -D
  ndctl init-labels -f nmem0
  cxl create-region -m -t pmem -d decoder0.0 -w 1 mem0
  ndctl enable-region all
  ndctl list -RDN
  ndctl create-namespace -f -r region0 -m fsdax --map=mem
  ndctl list -RDN
  mkfs.ext4 -q -F -b 4096 -E nodiscard /dev/pmem0
  mount_pmem 0
}

# Two databases that take turns at one path, so that the one is the other's changed state.
two_databases() {
  paper="--profile paper --scale 0.004 --parted col3 --threads 1"
  # shellcheck disable=SC2086
  hdbench gen /mnt/pmem0/old $paper --seed 1
  # shellcheck disable=SC2086
  hdbench gen /mnt/pmem0/new $paper --seed 2
  mv /mnt/pmem0/old /mnt/pmem0/db
  sync
}

turn_to_new() {
  mv /mnt/pmem0/db /mnt/pmem0/old
  mv /mnt/pmem0/new /mnt/pmem0/db
  sync
}

turn_to_old() {
  mv /mnt/pmem0/db /mnt/pmem0/new
  mv /mnt/pmem0/old /mnt/pmem0/db
  sync
}

pools() { ls -l /mnt/pmem0/*.pool; }

keep() {
  hdbench run /mnt/pmem0/db --medium dram,app-direct --queries /paper-counted.q \
    --layout partitioned --attr parted --mode 4.0 --cache warm --reps 1 -s 1 --pmem-keep \
    --out /tmp/results.json
  echo "#json"
  cat /tmp/results.json
  echo
}
keep_again() { keep; }
keep_old() { keep; }
keep_new() { keep; }

# Says when the load has begun; the machine is killed some time after that.
load_until_killed() {
  hdbench query /mnt/pmem0/db --file /paper-counted.q --id 1 --medium app-direct --pmem-keep &
  until ls /mnt/pmem0/*-2.pool >/dev/null 2>&1; do usleep 5000; done
  echo "#loading"
  wait
  echo "#loaded"
}
