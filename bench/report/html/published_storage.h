// Storage figures that others published, as tables beside this machine's: nano v1's articles, its
// appendix on EBS, and "Choosing the Right File System for kdb+".
#pragma once

#include <string>

namespace hdbench {

std::string published_filesystems_html();
std::string published_storage_html();

}  // namespace hdbench
