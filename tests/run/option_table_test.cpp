#include "perpend/run/option_table.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "perpend/base/error.h"
#include "perpend/run/config.h"

namespace perpend {
namespace {

using Names = std::vector<std::string>;

std::string message_of(const std::string& option, const OptionValue& value) {
  try {
    RunOptions options;
    find_option(option).set(options, value);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

Names dropped(const OptionValue& value) {
  RunOptions options;
  find_option("drop").set(options, value);
  return options.schema.drop;
}

TEST(Options, ATextOfNamesIsALineOfCsv) {
  EXPECT_EQ(dropped(""), Names{});
  EXPECT_EQ(dropped("a,b"), (Names{"a", "b"}));
  EXPECT_EQ(dropped("\"a,b\",c"), (Names{"a,b", "c"}));
  EXPECT_EQ(dropped("\"say \"\"hi\"\"\",\"\"\"\""), (Names{"say \"hi\"", "\""}));
  EXPECT_EQ(dropped("\"\""), Names{""});
  EXPECT_EQ(dropped("a,"), (Names{"a", ""}));
  EXPECT_EQ(dropped("5\" pipe, b"), (Names{"5\" pipe", " b"}));
  const std::string must = "; it must be names with commas between them, each plain or whole in double quotes";
  EXPECT_EQ(message_of("drop", "\"a,b"), "drop is '\"a,b'" + must);
  EXPECT_EQ(message_of("drop", "\"a\"b"), "drop is '\"a\"b'" + must);
  EXPECT_EQ(message_of("drop", "a,\""), "drop is 'a,\"'" + must);
}

TEST(Options, AListOfNamesIsTakenAsItIs) {
  EXPECT_EQ(dropped(Names{"a,b", "\"c\"", "", "d\n"}), (Names{"a,b", "\"c\"", "", "d\n"}));
  EXPECT_EQ(dropped(Names{}), Names{});
}

TEST(Options, OneValueIsNoList) {
  EXPECT_EQ(message_of("dropout", Names{"0.5"}), "dropout is the list '0.5'; it must be one value");
  EXPECT_EQ(message_of("method", Names{"lit"}), "method is the list 'lit'; it must be one value");
  EXPECT_EQ(message_of("target", Names{"a", "b"}), "target is the list 'a,b'; it must be one value");
  EXPECT_EQ(message_of("lambda", Names{"auto"}), "lambda is the list 'auto'; it must be one value");
  EXPECT_EQ(message_of("shuffle", Names{}), "shuffle is the list ''; it must be one value");
}

TEST(Options, AreUtf8) {
  EXPECT_EQ(message_of("split_column", "\xff"), "split_column is '\\xff'; it must be UTF-8 text");
  EXPECT_EQ(message_of("drop", Names{"a", "\xc3"}), "drop is '\\xc3'; it must be UTF-8 text");
}

TEST(Options, ComeBackFromJsonWhateverColumnsAreCalled) {
  RunOptions options;
  options.schema.drop = {"a,b", "", "say \"hi\"", "two\nlines", "[1]", "null"};
  options.schema.keep = {""};
  options.schema.target = "a,b";
  options.train.hidden = {8, 4};
  RunOptions back;
  options_from_json(options_to_json(options), back);
  EXPECT_EQ(back.schema, options.schema);
  EXPECT_EQ(options_to_json(back), options_to_json(options));
  EXPECT_THROW(options_from_json(R"({"drop":[["a"]]})", back), ModelFileError);
  EXPECT_THROW(options_from_json(R"({"target":{"a":1}})", back), ModelFileError);
}

TEST(Options, HelpIsMoreThanAWordAndEndsWithAPeriod) {
  for (const auto& option : option_table()) {
    for (const std::string& help : {option.help, option.python.help}) {
      if (help.empty()) continue;
      EXPECT_EQ(help.back(), '.') << option.name;
      EXPECT_EQ(help.find("; 0:"), std::string::npos) << option.name;
      EXPECT_GE(std::ranges::count(help, ' '), 3) << option.name << " says too little: " << help;
    }
  }
}

TEST(Options, DefaultsAreShownAsTheyAreTyped) {
  EXPECT_EQ(default_text(find_option("hidden")), "auto");
  EXPECT_EQ(default_text(find_option("method")), "lit");
  EXPECT_EQ(default_text(find_option("shuffle")), "on");
  EXPECT_EQ(default_text(find_option("epochs")), "");
  EXPECT_EQ(default_text(find_option("drop")), "");
  EXPECT_EQ(default_text(find_option("weight_decay")), "0.0001");
}

TEST(Options, APythonNameMeansOneOption) {
  std::map<std::string, std::string> options;
  for (const auto& option : option_table()) {
    if (option.python.name.empty()) continue;
    EXPECT_TRUE(options.emplace(option.python.name, option.name).second) << option.python.name;
    EXPECT_FALSE(option.python.type.empty()) << option.name;
  }
  EXPECT_EQ(options.at("n_estimators"), "members");
  EXPECT_EQ(options.at("n_iter_no_change"), "early_stopping");
}

TEST(Options, PythonSeesTheOptionsAndDefaultsOfAMethod) {
  const auto row = [](Method method, const std::string& option) {
    for (const auto& one : nlohmann::json::parse(option_table_json(method))) {
      if (one["option"] == option) return one;
    }
    return nlohmann::json();
  };
  EXPECT_TRUE(row(Method::ncl, "lambda")["default"].is_null());  // Each method and view has its own.
  EXPECT_EQ(row(Method::lit, "lambda")["name"], "lambda_");
  EXPECT_TRUE(row(Method::restarts, "lambda").is_null());
  EXPECT_TRUE(row(Method::lit, "target")["name"].is_null());
  EXPECT_EQ(row(Method::lit, "split")["default"], "none");
  EXPECT_EQ(row(Method::lit, "penalty_reduction")["type"], "Literal[\"mean\", \"sum\"]");
}

TEST(FreeLambda, IsTheLargestThatCostsNextToNothing) {
  const auto trial = [](double lambda, double loss, bool diverged = false) {
    return LambdaTrial{
        .lambda = lambda, .log_loss = loss, .standard_error = .01, .grad_cos2 = {}, .diverged = diverged};
  };
  const std::vector<LambdaTrial> trials = {trial(0, .30), trial(1, .309), trial(3, .40), trial(10, 0, true)};
  EXPECT_EQ(free_lambda(trials), 1);
  EXPECT_EQ(free_lambda(trials, 0), 0);
  EXPECT_EQ(free_lambda(trials, 1), 3);
  EXPECT_EQ(free_lambda({trial(3, 0, true)}), 0);
}

TEST(Config, ListsStayListsAndATextIsWhatTheFlagWouldBe) {
  RunOptions options;
  apply_config(parse_config("drop = [\"a,b\", 0.1]\nkeep = \"c,\\\"d,e\\\"\"\npositive = 0.1", "c.toml"), options);
  EXPECT_EQ(options.schema.drop, (Names{"a,b", "0.1"}));
  EXPECT_EQ(options.schema.keep, (Names{"c", "d,e"}));
  EXPECT_EQ(options.schema.positive, "0.1");
}

TEST(Config, NumbersAreTextsThatGiveTheSameNumber) {
  const auto text = [](const std::string& number) { return parse_config("a = " + number, "c.toml")[0].text; };
  EXPECT_EQ(text("1e6"), "1000000");
  EXPECT_EQ(text("5.0"), "5");
  EXPECT_EQ(text("0.1"), "0.1");
  EXPECT_EQ(text("-0.0001"), "-0.0001");
  EXPECT_EQ(text("1e-5"), "1e-05");
  EXPECT_EQ(text("5e-324"), "5e-324");
  EXPECT_EQ(text("0.12345678901234567"), "0.12345678901234566");
  EXPECT_EQ(text("1.7976931348623157e308"), "1.7976931348623157e+308");
  EXPECT_EQ(text("-inf"), "-inf");
}

}  // namespace
}  // namespace perpend
