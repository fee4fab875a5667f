#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "perpend/base/error.h"
#include "perpend/store/model_file.h"
#include "tests/support/memory_file_system.h"
#include "tests/support/model_files.h"

namespace perpend {
namespace {

const Architecture kSmall = {.features = 3, .hidden = {2}};

std::string small_file() { return to_bytes(test::made_up_model(kSmall, 2)); }

// A file of about 2 kB, with two hidden layers and three classes.
std::string larger_file() { return to_bytes(test::made_up_model({.features = 5, .hidden = {7, 3}, .classes = 3}, 2)); }

// The line that refuses the bytes.
std::string refusal(const std::string& bytes) {
  try {
    from_bytes(bytes, "m.safetensors");
  } catch (const ModelFileError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("m.safetensors: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  return "accepted";
}

testing::AssertionResult refused_for(const std::string& bytes, const std::string& reason) {
  const std::string message = refusal(bytes);
  if (message.find(reason) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected '" << reason << "' in: " << message;
}

// A file with both views. Its columns are a number with three bins and gaps, a number that is linear in every view, and
// a category with gaps.
std::string file_with_views() {
  const std::vector<ColumnTable> columns = {
      {.edges = {-1.5F, -0.25F, 0.5F, 2}, .means = {0.75F, 0.5F, 0.25F}, .missing = 0.125F},
      {},
      {.means = {0.5F, 0.25F}, .is_category = true, .missing = 0.25F}};
  const Architecture views{.features = 3, .hidden = {2}, .columns = columns, .views = {View::linear, View::piecewise}};
  return to_bytes(test::made_up_model(views, 2));
}

// A file whose header has `to` in place of `from`, while all else (length, padding, checksum) is right.
std::string crafted(const std::string& from, const std::string& to, const std::string& file = small_file()) {
  test::FileParts parts = test::take_apart(file);
  const std::size_t at = parts.header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  parts.header.replace(at, from.size(), to);
  parts.header.erase(parts.header.find_last_not_of(' ') + 1);
  return test::put_together_sealed(parts);
}

std::string with_header_length(std::uint64_t length) {
  std::string bytes = small_file();
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes;
}

TEST(DamagedModel, PutTogetherUnchangedIsAccepted) {
  EXPECT_EQ(crafted("perpend", "perpend"), small_file());
  EXPECT_EQ(refusal(crafted("perpend", "perpend")), "accepted");
}

TEST(DamagedModel, IsRefusedAtEveryTruncation) {
  const std::string bytes = larger_file();
  ASSERT_GE(bytes.size(), 2000U);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    // The copy has exactly that length, so that the sanitizer sees a read beyond it.
    ASSERT_NE(refusal(std::string(bytes.data(), length)), "accepted") << length;
  }
  EXPECT_NE(refusal(bytes + '\0'), "accepted");
}

TEST(DamagedModel, IsRefusedAtEveryFlippedBit) {
  std::string bytes = larger_file();
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const char mask = static_cast<char>(1 << bit % 8);
    bytes[bit / 8] ^= mask;
    ASSERT_NE(refusal(bytes), "accepted") << "bit " << bit % 8 << " of byte " << bit / 8;
    bytes[bit / 8] ^= mask;
  }
}

TEST(DamagedModel, IsRefusedFromTheDiskAtEveryTruncation) {
  const std::string bytes = larger_file();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    test::MemoryFileSystem files;
    files.put("m", bytes.substr(0, length));
    ASSERT_THROW(load("m", files), ModelFileError) << length;
  }
}

TEST(DamagedModel, TellsExpectedAndFound) {
  const std::string bytes = small_file();
  EXPECT_EQ(
      refusal(bytes.substr(0, bytes.size() - 4)),
      "m.safetensors: tensors take 108 bytes where the architecture needs 112; the file is damaged: copy it again "
      "or train again");
  EXPECT_EQ(refusal(crafted(R"("format_version":"1")", R"("format_version":"4")")),
            "m.safetensors: format_version is '4' where this perpend reads '1' or '2' or '3'; use the version of "
            "perpend that "
            "wrote the file, or a newer one");
  EXPECT_TRUE(
      refused_for(crafted(R"("contract_version":"1")", R"("contract_version":"7")"), "contract_version is '7'"));
  EXPECT_TRUE(refused_for(crafted(R"("format_version":"1")", R"("format_version":"1 ")"), "format_version is '1 '"));
}

TEST(DamagedModel, ForeignFilesAreSaidToBeForeign) {
  const std::string foreign = "this is not a model file of perpend";
  EXPECT_TRUE(refused_for("", "0 bytes"));
  EXPECT_TRUE(refused_for("age,income\n1,2\n", foreign));
  EXPECT_TRUE(refused_for(test::put_together({"{}", ""}), foreign));
  EXPECT_TRUE(refused_for(test::put_together({"[]", ""}), foreign));
  EXPECT_TRUE(refused_for(test::put_together({R"({"__metadata__":{"format":"pt"}})", ""}), "format is 'pt'"));
  EXPECT_TRUE(refused_for(test::put_together({R"({"__metadata__":{}})", ""}), "format is not given"));
  EXPECT_TRUE(
      refused_for(test::put_together({R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", "0000"}), foreign));
}

TEST(DamagedModel, HeaderLengthsAreComparedWithTheFile) {
  const std::uint64_t size = small_file().size();
  EXPECT_TRUE(refused_for(with_header_length(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615"));
  EXPECT_TRUE(refused_for(with_header_length(kMaxHeaderBytes + 1), "1,048,577 bytes where at most 1,048,576"));
  EXPECT_TRUE(refused_for(with_header_length(kMaxHeaderBytes), "only"));
  EXPECT_TRUE(refused_for(with_header_length(size - 7), "only"));
  EXPECT_NE(refusal(with_header_length(size - 8)), "accepted");
  EXPECT_NE(refusal(with_header_length(0)), "accepted");
  test::FileParts parts = test::take_apart(small_file());
  parts.header.resize(kMaxHeaderBytes + 1, ' ');
  EXPECT_TRUE(refused_for(test::put_together(parts), "1,048,577"));
}

TEST(DamagedModel, HeaderIsStrictJson) {
  EXPECT_TRUE(refused_for(crafted(R"("format":)", R"("format":"perpend","format":)"), "key 'format' twice"));
  EXPECT_TRUE(refused_for(crafted(R"("member.0.layer.0.bias")", R"("member.0.layer.0.weight")"), "twice"));
  EXPECT_TRUE(refused_for(crafted(R"({\"activation\")", R"({\"activation\":\"tanh\",\"activation\")"), "twice"));
  EXPECT_TRUE(refused_for(crafted(R"({\"lambda\":1)", R"({\"lambda\":1,\"lambda\":2)"), "key 'lambda' twice"));
  EXPECT_TRUE(refused_for(crafted(R"({\"lambda\":1)", R"({\"lambda\":)"), "metadata 'options' has no JSON at byte"));
  EXPECT_TRUE(refused_for(crafted(R"({\"lambda\":1)", R"({\"lambda\":1e999)"), "out of range"));
  EXPECT_TRUE(refused_for(crafted("yes", "\xff\xfe"), "no JSON at byte"));
  EXPECT_TRUE(refused_for(crafted("yes", std::string(1, '\0')), "NUL"));
  const std::string deep = std::string(100'000, '[');
  EXPECT_TRUE(refused_for(test::put_together({deep, ""}), "deeper than 32"));
  EXPECT_TRUE(refused_for(crafted(R"({\"lambda\":1)", R"({\"lambda\":)" + deep), "deeper than 32"));
  EXPECT_TRUE(refused_for(test::put_together({R"({"a":)" + deep, ""}), "deeper than 32"));
}

// This was a finding: a filter of the JSON library that reads all earlier elements for each new one took minutes here.
TEST(DamagedModel, LongListsOfObjectsAreReadInOnePass) {
  std::string list = "[{}";
  while (list.size() < kMaxHeaderBytes - 10) list += ",{}";
  EXPECT_TRUE(refused_for(test::put_together({list + "]", ""}), "no '__metadata__'"));
}

TEST(DamagedModel, MetadataIsStringsAndComplete) {
  EXPECT_TRUE(refused_for(crafted(R"("format_version":"1")", R"("format_version":1)"), "is not a string"));
  EXPECT_TRUE(
      refused_for(crafted(R"("options":"{\"lambda\":1,\"method\":\"lit\"}")", R"("options":{})"), "is not a string"));
  EXPECT_TRUE(refused_for(crafted(R"("format_version":"1",)", ""), "no 'format_version'"));
  EXPECT_TRUE(refused_for(crafted(R"("contract_version":"1",)", ""), "no 'contract_version'"));
  EXPECT_TRUE(refused_for(crafted(R"("architecture":)", R"("architectures":)"), "no 'architecture'"));
  EXPECT_TRUE(refused_for(crafted(R"("member_weights":)", R"("weights":)"), "no 'member_weights'"));
  EXPECT_TRUE(refused_for(crafted(R"("sha256":)", R"("sha":)"), "no 'sha256'"));
  EXPECT_TRUE(refused_for(crafted(R"("options":)", R"("Options\n":)"), "unknown key 'Options\\n'"));
  EXPECT_TRUE(refused_for(crafted(R"("sha256":")", R"("sha256": ")"), "does not begin with a sha256"));
}

TEST(DamagedModel, ArchitectureIsCompleteAndPositive) {
  EXPECT_TRUE(refused_for(crafted(R"(\"features\":3,)", ""), "architecture does not have exactly"));
  EXPECT_TRUE(
      refused_for(crafted(R"(\"features\":3,)", R"(\"features\":3,\"x\":1,)"), "architecture does not have exactly"));
  EXPECT_TRUE(refused_for(crafted(R"(\"features\":3)", R"(\"features\":-3)"), "features is not a positive number"));
  EXPECT_TRUE(refused_for(crafted(R"(\"features\":3)", R"(\"features\":3.0)"), "features is not a positive number"));
  EXPECT_TRUE(refused_for(crafted(R"(\"features\":3)", R"(\"features\":0)"), "features is not a positive number"));
  EXPECT_TRUE(refused_for(crafted(R"(\"hidden\":[2])", R"(\"hidden\":2)"), "architecture does not have exactly"));
  EXPECT_TRUE(refused_for(crafted(R"(\"hidden\":[2])", R"(\"hidden\":[0])"), "hidden is not a positive number"));
  EXPECT_TRUE(refused_for(crafted(R"(\"classes\":2)", R"(\"classes\":1)"), "at least 2"));
  EXPECT_TRUE(refused_for(crafted(R"(\"relu\")", R"(\"gelu\")"), "activation is not one of"));
  EXPECT_TRUE(refused_for(crafted(R"(\"relu\")", "1"), "activation is not one of"));
}

TEST(DamagedModel, ViewsAreKnownAndHaveTheirColumns) {
  const auto with = [](const std::string& from, const std::string& to) { return crafted(from, to, file_with_views()); };
  EXPECT_EQ(refusal(file_with_views()), "accepted");
  EXPECT_EQ(with("perpend", "perpend"), file_with_views());
  const std::string views = R"(\"views\":[\"linear\",\"piecewise\"])";
  for (const std::string wrong : {R"([\"linear\",\"curved\"])", R"([1])", R"([\"Linear\",\"piecewise\"])", "[null]"}) {
    EXPECT_TRUE(refused_for(with(views, R"(\"views\":)" + wrong), "none of linear, piecewise, logistic and trees"))
        << wrong;
  }
  for (const std::string wrong : {"[]", "{}", R"(\"linear\")"}) {
    EXPECT_TRUE(refused_for(with(views, R"(\"views\":)" + wrong), "views is not a list of views")) << wrong;
  }
  EXPECT_TRUE(refused_for(with(R"(,\"views\":[\"linear\",\"piecewise\"])", ""), "does not have exactly"));
  EXPECT_TRUE(refused_for(with(views, R"(\"sights\":[])"), "does not have exactly"));
  EXPECT_TRUE(refused_for(with(R"(\"features\":3)", R"(\"features\":4)"), "as many columns as there are features"));
  EXPECT_TRUE(refused_for(with(R"({\"edges\":[],\"means\":[],\"missing\":0.0},)", ""), "as many columns as there are"));
  EXPECT_TRUE(refused_for(with(R"(\"columns\":[)", R"(\"columns\":[[],)"), "as many columns as there are"));
  // The other view has other weights.
  EXPECT_TRUE(refused_for(with(views, R"(\"views\":[\"piecewise\",\"linear\"])"), "'member.0.layer.0.weight' is"));
  EXPECT_TRUE(refused_for(with(views, R"(\"views\":[\"linear\"])"), "bytes where the architecture needs"));
}

TEST(DamagedModel, ColumnsAreTablesThatTrainingFinds) {
  const std::string number = R"({\"edges\":[-1.5,-0.25,0.5,2.0],\"means\":[0.75,0.5,0.25],\"missing\":0.125})";
  const std::string category = R"({\"missing\":0.25,\"shares\":[0.5,0.25]})";
  const auto number_as = [&](const std::string& edges, const std::string& means, const std::string& missing) {
    return crafted(number, R"({\"edges\":)" + edges + R"(,\"means\":)" + means + R"(,\"missing\":)" + missing + "}",
                   file_with_views());
  };
  const auto category_as = [&](const std::string& json) { return crafted(category, json, file_with_views()); };
  const std::string edges = "[-1.5,-0.25,0.5,2]";
  const std::string means = "[0.75,0.5,0.25]";
  EXPECT_EQ(refusal(number_as(edges, means, "0.125")), "accepted");
  for (const std::string wrong :
       {"[-1.5,0.5,-0.25,2]", "[2,0.5,-0.25,-1.5]", "[-1.5,-0.25,-0.25,2]", "[0,0,0,0]", "[-1.5,-0.25,-0.235,2]"}) {
    EXPECT_TRUE(refused_for(number_as(wrong, means, "0.125"), "edges that do not ascend")) << wrong;
  }
  for (const std::string wrong : {"[0.75,0.5,1.5]", "[-0.5,0.5,0.25]"}) {
    EXPECT_TRUE(refused_for(number_as(edges, wrong, "0.125"), "share that is not between 0 and 1")) << wrong;
  }
  for (const std::string wrong : {"-0.5", "1.5", "1e15"}) {
    EXPECT_TRUE(refused_for(number_as(edges, means, wrong), "share that is not between 0 and 1")) << wrong;
    EXPECT_TRUE(refused_for(category_as(R"({\"missing\":)" + wrong + R"(,\"shares\":[0.5,0.25]})"),
                            "share that is not between 0 and 1"))
        << wrong;
    EXPECT_TRUE(refused_for(category_as(R"({\"missing\":0.25,\"shares\":[0.5,)" + wrong + "]}"),
                            "share that is not between 0 and 1"))
        << wrong;
  }
  for (const std::string wrong : {"[]", "[-1.5]", "[-1.5,2]", "[-1.5,0,2]", "[-1.5,-0.25,0.5,2,3]"}) {
    EXPECT_TRUE(refused_for(number_as(wrong, means, "0.125"), "another number of edges")) << wrong;
  }
  std::string many = "0", halves = "0.5";
  for (int i = 1; i <= 257; ++i) many += "," + std::to_string(i);
  for (int i = 1; i < 257; ++i) halves += ",0.5";
  EXPECT_TRUE(refused_for(number_as("[" + many + "]", "[" + halves + "]", "0.125"), "another number of edges"));
  EXPECT_TRUE(refused_for(category_as(R"({\"missing\":0,\"shares\":[]})"), "another number of edges"));
  for (const std::string wrong : {R"([\"a\",0,1,2])", "[null,0,1,2]", "[-1.5,-0.25,0.5,1e300]", "[[],0,1,2]"}) {
    EXPECT_TRUE(refused_for(number_as(wrong, means, "0.125"), "where a number is expected")) << wrong;
  }
  EXPECT_TRUE(refused_for(number_as(edges, means, "null"), "where a number is expected"));
  EXPECT_TRUE(refused_for(number_as("{}", means, "0.125"), "where a list of numbers is expected"));
  EXPECT_TRUE(refused_for(number_as(edges, "0.5", "0.125"), "where a list of numbers is expected"));
  for (const std::string wrong : {R"({\"shares\":[0.5,0.25]})", R"({\"missing\":0.25})",
                                  R"({\"missing\":0.25,\"shares\":[0.5,0.25],\"edges\":[]})",
                                  R"({\"missing\":0.25,\"edges\":[]})", "[]", "null"}) {
    EXPECT_TRUE(refused_for(category_as(wrong), "a column does not have exactly")) << wrong;
  }
  // Other tables have other rows of weights.
  EXPECT_TRUE(refused_for(category_as(R"({\"missing\":0.25,\"shares\":[0.25,0.25,0.25]})"), "the architecture needs"));
  EXPECT_TRUE(refused_for(category_as(R"({\"missing\":0.0,\"shares\":[0.5,0.25]})"), "the architecture needs"));
}

TEST(DamagedModel, MemberWeightsAreAMean) {
  const std::string weights = "[0.3333333333333333,0.6666666666666666]";
  for (const std::string wrong : {"[0.5,0.6]", "[1.5,-0.5]", "[]", "{}", "[\\\"1\\\"]", "[null,1]"}) {
    EXPECT_TRUE(refused_for(crafted(weights, wrong), "member_weights")) << wrong;
  }
  EXPECT_TRUE(refused_for(crafted(weights, "[1]"), "8 tensors where 1 member of 2 layers"));
  EXPECT_TRUE(refused_for(crafted(weights, "[0.25,0.25,0.5]"), "where 3 members of 2 layers"));
}

TEST(DamagedModel, AnUnknownRuleIsRefused) {
  const std::string options = R"("options":)";
  EXPECT_EQ(refusal(crafted(options, R"("rule":"samme",)" + options)), "accepted");
  for (const std::string wrong : {"mode", "mean", "", "\\\"samme\\\""}) {
    EXPECT_TRUE(refused_for(crafted(options, R"("rule":")" + wrong + R"(",)" + options), "rule is ")) << wrong;
  }
}

TEST(DamagedModel, HugeSizesAreRefusedWithoutMemory) {
  for (const std::string huge : {"1000000000000", "4611686018427387904", "18446744073709551615"}) {
    EXPECT_NE(refusal(crafted(R"(\"features\":3)", R"(\"features\":)" + huge)), "accepted");
    EXPECT_NE(refusal(crafted(R"(\"classes\":2)", R"(\"classes\":)" + huge)), "accepted");
    EXPECT_NE(refusal(crafted(R"(\"hidden\":[2])", R"(\"hidden\":[)" + huge + "]")), "accepted");
  }
  EXPECT_TRUE(refused_for(crafted(R"(\"features\":3)", R"(\"features\":18446744073709551616)"), "features"));
  const auto with_layers = [](int count) {
    std::string layers = "1";
    for (int i = 1; i < count; ++i) layers += ",1";
    return crafted(R"(\"hidden\":[2])", R"(\"hidden\":[)" + layers + "]");
  };
  EXPECT_TRUE(refused_for(with_layers(200), "8 tensors where"));
  EXPECT_TRUE(refused_for(with_layers(201), "larger than any that perpend trains"));
  EXPECT_TRUE(refused_for(with_layers(200'000), "larger than any that perpend trains"));
  EXPECT_TRUE(
      refused_for(crafted(R"(\"hidden\":[2])", R"(\"hidden\":[65537])"), "larger than any that perpend trains"));
}

TEST(DamagedModel, TensorsHaveTheirNamesTypesShapesAndPlaces) {
  const std::string first = R"("member.0.layer.0.weight":{"data_offsets":[0,24],"dtype":"F32","shape":[3,2]})";
  const auto with = [&](const std::string& entry) { return crafted(first, R"("member.0.layer.0.weight":)" + entry); };
  EXPECT_EQ(refusal(with(R"({"dtype":"F32","shape":[3,2],"data_offsets":[0,24]})")), "accepted");
  for (const std::string wrong : {
           R"({"data_offsets":[0,24],"dtype":"F16","shape":[3,2]})",    // another type
           R"({"data_offsets":[0,24],"dtype":"F32","shape":[2,3]})",    // transposed
           R"({"data_offsets":[0,24],"dtype":"F32","shape":[6]})",      // flat
           R"({"data_offsets":[0,24],"dtype":"F32","shape":[3.0,2]})",  // not an integer
           R"({"data_offsets":[0,24],"dtype":"F32","shape":[-3,-2]})",  // negative
           R"({"data_offsets":[4,28],"dtype":"F32","shape":[3,2]})",    // a gap, then an overlap
           R"({"data_offsets":[0,28],"dtype":"F32","shape":[3,2]})",    // overlaps the next
           R"({"data_offsets":[0,20],"dtype":"F32","shape":[3,2]})",    // a gap to the next
           R"({"data_offsets":[24,0],"dtype":"F32","shape":[3,2]})",    // backwards
           R"({"data_offsets":[-24,0],"dtype":"F32","shape":[3,2]})",   // negative
           R"({"data_offsets":[0,18446744073709551615],"dtype":"F32","shape":[3,2]})",
           R"({"data_offsets":[0,24],"dtype":"F32","shape":[3,2],"x":1})",  // an unknown key
           R"({"data_offsets":[0,24],"dtype":"F32"})",                      // an absent one
           "[]",
           "null",
           "\"F32\"",
       }) {
    EXPECT_TRUE(refused_for(with(wrong), "tensor 'member.0.layer.0.weight' is")) << wrong;
  }
  EXPECT_TRUE(
      refused_for(crafted("member.1.layer.1.bias", "member.1.layer.2.bias"), "'member.1.layer.1.bias' is missing"));
  EXPECT_TRUE(refused_for(crafted(first + ",", ""), "7 tensors"));
  EXPECT_TRUE(refused_for(crafted(first, first + R"(,"extra":{"data_offsets":[112,112],"dtype":"F32","shape":[0]})"),
                          "9 tensors"));
}

TEST(DamagedModel, ABasisOfTangentsHasItsShapeAndPlace) {
  ModelFile model = test::made_up_model(kSmall, 2);
  model.basis = Tangents::shared(3, 2);
  const std::string good = to_bytes(model);
  EXPECT_EQ(refusal(good), "accepted");
  const auto with = [&](const std::string& from, const std::string& to) {
    test::FileParts parts = test::take_apart(good);
    const std::size_t at = parts.header.find(from, parts.header.find("manifold.basis"));
    EXPECT_NE(at, std::string::npos) << from;
    parts.header.replace(at, from.size(), to);
    parts.header.erase(parts.header.find_last_not_of(' ') + 1);
    return test::put_together_sealed(parts);
  };
  EXPECT_EQ(refusal(with("F32", "F32")), "accepted");
  EXPECT_TRUE(refused_for(with("[2,3]", "[1,3]"), "where the architecture needs"));
  EXPECT_TRUE(refused_for(with("[2,3]", "[3,2]"), "where the architecture needs"));
  EXPECT_TRUE(refused_for(with("[2,3]", "[0,3]"), "not a positive number"));
  EXPECT_TRUE(refused_for(with("[2,3]", "[6]"), "does not have a shape of two numbers"));
  EXPECT_TRUE(refused_for(with("[2,3]", "[18446744073709551615,3]"), "larger than any file"));
  EXPECT_TRUE(refused_for(with("F32", "F16"), "'manifold.basis' is"));
  EXPECT_TRUE(refused_for(with("manifold.basis", "manifold.bases"), "9 tensors"));
}

TEST(DamagedModel, DataIsCompleteAndFinite) {
  const test::FileParts parts = test::take_apart(small_file());
  EXPECT_TRUE(refused_for(test::put_together_sealed({parts.header, parts.data + "0000"}), "116 bytes"));
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                            -std::numeric_limits<float>::infinity()}) {
    for (std::size_t at = 0; at < parts.data.size(); at += 4) {
      test::FileParts changed = parts;
      std::memcpy(changed.data.data() + at, &wrong, sizeof wrong);
      EXPECT_TRUE(refused_for(test::put_together_sealed(changed), "not a finite number")) << at;
    }
  }
}

TEST(DamagedModel, NumbersAreNoLargerThanTrainingLeavesThem) {
  ModelFile model = test::made_up_model(kSmall, 2);
  model.basis = Tangents::shared(3, 2);
  float& weight = model.ensemble.members[1].layers[1].bias[0];
  float& tangent = model.basis.direction(0, 1)[2];
  for (const float sign : {1.0F, -1.0F}) {
    weight = sign * 1e6F;
    tangent = sign * 1e15F;
    EXPECT_EQ(refusal(to_bytes(model)), "accepted");
    weight = sign * std::nextafter(1e6F, 2e6F);
    EXPECT_TRUE(refused_for(to_bytes(model), "larger than 1,000,000"));
    weight = sign * 3e38F;
    EXPECT_TRUE(refused_for(to_bytes(model), "larger than 1,000,000"));
    weight = 0;
    tangent = sign * 3e38F;
    EXPECT_TRUE(refused_for(to_bytes(model), "larger than"));
    tangent = 0;
  }
}

TEST(DamagedModel, ChecksumAndAlignmentAreChecked) {
  test::FileParts parts = test::take_apart(small_file());
  EXPECT_TRUE(refused_for(test::put_together({parts.header + ' ', parts.data}), "not a multiple of 64"));
  const std::size_t digits = parts.header.find("\"sha256\":\"") + 10;
  parts.header[digits] = parts.header[digits] == '0' ? '1' : '0';
  EXPECT_TRUE(refused_for(test::put_together(parts), "the sha256 of the file is"));
}

TEST(DamagedModel, PathsStayOnOneLine) {
  try {
    from_bytes("", "a\nb");
    FAIL();
  } catch (const ModelFileError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a\\nb: ")) << error.what();
  }
}

}  // namespace
}  // namespace perpend
