// What of the DAX and CXL devices is not in the state that is wanted, and the commands that bring
// it there: daxctl and cxl as their manual pages (version 76) have them.
//
// Reported trees that this answers: a device that came up as system-ram, or as devdax, where the
// other is wanted; memory online in a zone for the kernel's data; offline blocks; a device on no
// node (-1); memory devices without a region, or one of two; a region without a DAX device; devices
// that the firmware uses as ordinary memory. Nothing here fails, and nothing is executed.
#pragma once

#include <string>
#include <vector>

#include "pmem/machine/topology.h"

namespace hdbench::pmem {

// What DAX devices are wanted as.
struct SetupWish {
  // "system-ram", "devdax"; empty: CXL's and reserved memory as system-ram (--medium cxl),
  // persistent memory as devdax (--medium app-direct).
  std::string mode = {};
  std::string devdax = {};  // "dax0.0": this one as devdax, whatever the mode
};

struct SetupStep {
  std::string device;                 // "dax0.0", "mem0 mem1", "region0"
  std::string found;                  // "is in devdax mode"
  std::string wanted;                 // "system-ram: a node without CPUs"
  std::vector<std::string> commands;  // as root, in this order; empty: none does it
  std::string remark;                 // what follows, or where commands fail; may be empty
};

// In the order in which they are to be done: regions before what becomes of them.
std::vector<SetupStep> setup_steps(const Machine& machine, const SetupWish& wish = {});

}  // namespace hdbench::pmem
