// The `sym` file's symbols of a profile, in the order of their codes.
#pragma once

#include <string>
#include <vector>

#include "datagen/spec.h"

namespace hdbench::datagen {

std::vector<std::string> domain_list(Profile profile);

}  // namespace hdbench::datagen
