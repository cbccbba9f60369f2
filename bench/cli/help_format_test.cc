#include "bench/cli/help_format.h"

#include <memory>

#include "engine/base/catch.h"

namespace hdbench::bench {
namespace {

std::string help_at(std::size_t columns) {
  CLI::App app("What this program is for, in a sentence that is longer than a narrow screen", "it");
  app.formatter(std::make_shared<HelpFormat>(columns));
  std::string word = "usual";
  std::string place;
  app.add_option("-w,--word", word, "one word of those that are known here")
      ->type_name("WORD")
      ->capture_default_str();
  app.add_option("--a-flag-with-a-long-name", place, "its text begins below it")->group("Places");
  app.footer("Examples:\n    it --word another --a-flag-with-a-long-name /some/where/else");
  return app.help();
}

}  // namespace

TEST_CASE("help is as wide as the screen, and cuts no word") {
  for (const std::size_t columns : {40, 60, 80, 200}) {
    const std::string help = help_at(columns);
    CAPTURE(help);
    for (std::size_t at = 0; at < help.size();) {
      const std::size_t end = help.find('\n', at);
      CHECK(end - at <= columns);
      at = end + 1;
    }
    CHECK(help.find("  -w,--word WORD=usual") != std::string::npos);
    CHECK(help.find("/some/where/else") != std::string::npos);
  }
}

TEST_CASE("a name that is too long for its column has a line of its own") {
  CHECK(help_at(80).find("\nPlaces:\n  --a-flag-with-a-long-name TEXT\n"
                         "                          its text begins below it\n") !=
        std::string::npos);
}

}  // namespace hdbench::bench
