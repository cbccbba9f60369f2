#include "bench/command/flag_set.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <utility>

namespace hdbench {

Flag& Flag::type_name(const std::string& name) {
  option_->type_name(name);
  return *this;
}

Flag& Flag::required(bool is_required) {
  option_->required(is_required);
  return *this;
}

Flag& Flag::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Flag& Flag::hide() {
  option_->group("");
  return *this;
}

Flag& Flag::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

FlagSet FlagSet::add_command(const std::string& name, const std::string& about) {
  return FlagSet(*app_->add_subcommand(name, about));
}

template <typename T>
Flag FlagSet::add_option(const std::string& names, T& value, const std::string& about) {
  return Flag(*app_->add_option(names, value, about));
}

template Flag FlagSet::add_option(const std::string&, std::string&, const std::string&);
template Flag FlagSet::add_option(const std::string&, double&, const std::string&);
template Flag FlagSet::add_option(const std::string&, unsigned&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::size_t&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::vector<std::string>&,
                                  const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<int>&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<double>&, const std::string&);
template Flag FlagSet::add_option(const std::string&, std::optional<std::size_t>&,
                                  const std::string&);

Flag FlagSet::add_flag(const std::string& names, bool& value, const std::string& about) {
  return Flag(*app_->add_flag(names, value, about));
}

Flag FlagSet::get_option(const std::string& name) { return Flag(*app_->get_option(name)); }

void FlagSet::footer(const std::string& text) { app_->footer(text); }

void FlagSet::allow_extras() { app_->allow_extras(); }

void FlagSet::callback(std::function<void()> chosen) { app_->callback(std::move(chosen)); }

std::size_t FlagSet::count(const std::string& name) const { return app_->count(name); }

std::vector<std::string> FlagSet::remaining() const { return app_->remaining(); }

}  // namespace hdbench
