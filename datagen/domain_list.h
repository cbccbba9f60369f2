// Lists a profile's symbols in the order of their codes, as the `sym` file stores them.
#pragma once

#include <string>
#include <vector>

#include "datagen/spec.h"

namespace hdbench::datagen {

std::vector<std::string> domain_list(Profile profile);

}  // namespace hdbench::datagen
