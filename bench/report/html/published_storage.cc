#include "bench/report/html/published_storage.h"

#include "bench/report/html/html_text.h"

namespace hdbench {
namespace {

struct Means {
  const char* what;
  const char* one;
  const char* many;
};

// XFS over the others; the first machine's drive is an Intel P5510, the second's a PCIe 5 drive of
// Samsung's.
constexpr Means kMeans[] = {
    {"write: XFS/ext4, Intel P5510", "1.28", "2.65"},
    {"read cold: XFS/ext4, Intel P5510", "1.26", "0.90"},
    {"read warm: XFS/ext4, Intel P5510", "1.03", "0.98"},
    {"write: XFS/ext4, Samsung PCIe 5", "1.6", "1.7"},
    {"write: XFS/Btrfs, Samsung PCIe 5", "1.5", "2.4"},
    {"read cold: XFS/ext4, Samsung PCIe 5", "1.5", "1.1"},
    {"read cold: XFS/Btrfs, Samsung PCIe 5", "2.6", "1.3"},
};

struct Place {
  const char* test;
  const char* drives;
  const char* one_drive;
  const char* gp2;
  const char* io1;
  const char* st1;
};

constexpr Place kPlaces[] = {
    {"streaming read, MB/s", "7006", "2624", "", "", ""},
    {"random 8 MiB, MB/s", "6422", "2750", "", "", ""},
    {"random 512 KiB, MB/s", "1493", "1182", "", "", ""},
    {"hclose hopen, ms", "0.0038", "0.006", "0.004", "0.003", "0.003"},
    {"append, ms", "", "0.01", "0.006", "0.006", "0.04"},
    {"hcount, ms", "", "0.003", "0.002", "0.002", "0.002"},
    {"read1, ms", "", "0.022", "0.018", "0.017", "0.02"},
};

}  // namespace

std::string published_filesystems_html() {
  HtmlTable table;
  table.caption = "Published (KX, Choosing the Right File System for kdb+, 2025): geometric means";
  table.header = {{"what", ""}, {"1 process", "n"}, {"64 processes", "n"}};
  for (const Means& mean : kMeans) {
    table.rows.push_back({{html_escaped(mean.what), ""}, {mean.one, "n"}, {mean.many, "n"}});
  }
  return to_html(table);
}

std::string published_storage_html() {
  HtmlTable table;
  table.caption =
      "Published (KX, Benchmarking methodology, and Migrating a kdb+ HDB to Amazon EC2, 2018)";
  table.header = {{"what", ""},     {"instance, 4 NVMe", "n"}, {"node, 1 NVMe", "n"},
                  {"EBS gp2", "n"}, {"EBS io1", "n"},          {"EBS st1", "n"}};
  const auto cell = [](const char* text) {
    return HtmlCell{*text == '\0' ? "<span class=\"none\">none</span>" : text, "n"};
  };
  for (const Place& place : kPlaces) {
    table.rows.push_back({{html_escaped(place.test), ""},
                          cell(place.drives),
                          cell(place.one_drive),
                          cell(place.gp2),
                          cell(place.io1),
                          cell(place.st1)});
  }
  return "<h3>Published figures</h3>\n" + to_html(table);
}

}  // namespace hdbench
