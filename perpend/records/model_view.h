// What a report of a trained ensemble shows, as plain values. run/view_model.h makes it, and report/ draws it.
//
// Everything is small whatever the number of rows: curves are thinned, rows are counted in bins, gradients are
// densities.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "perpend/records/evaluation.h"
#include "perpend/records/finite.h"
#include "perpend/records/importance.h"
#include "perpend/records/member_facts.h"
#include "perpend/records/model_card.h"
#include "perpend/records/monitoring.h"
#include "perpend/records/run_summary.h"
#include "perpend/records/train_log.h"

namespace perpend {

struct CurvePoint {
  double x = 0;
  double y = 0;

  bool operator==(const CurvePoint&) const = default;
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;
  Metric area;
};

// One bin of predicted probability that has rows.
struct CalibrationPoint {
  double probability = 0;  // mean
  double frequency = 0;
  std::size_t rows = 0;
};
struct CalibrationCurve {
  std::string name;
  std::vector<CalibrationPoint> points;
};

// counts[i] of the values in [low + i w, low + (i + 1) w), w = (high - low) / counts; the last bin holds high too.
struct Histogram {
  double low = 0;
  double high = 0;
  std::vector<std::size_t> counts;
};

// A named set of rows: training, validation, test, or the name of a file.
struct PartView {
  std::string name;
  std::size_t rows = 0;
  std::optional<Evaluation> evaluation;  // where the rows have labels
  Histogram disagreement;                // all parts share the bins
  Metric spotted;                        // AUROC of disagreement, these rows against the familiar ones
};

// One member's gradient by one encoded feature, over rows.
struct GradientView {
  double mean = 0;
  double sd = 0;
  std::vector<double> quantiles;    // 5, 25, 50, 75 and 95 %
  std::vector<CurvePoint> density;  // (gradient, density) over the middle 99 % of the rows
};
// What one level of a category does, compared with the mean level.
struct LevelView {
  std::string name;
  std::size_t rows = 0;           // that have it
  std::vector<double> contrasts;  // per member, the mean over these rows
};
// A column of the table, or a feature of one. A category is one column. There the contrast stands in place of the
// gradient: by how much the level of a row moves the score, compared with the mean level.
struct FeatureView {
  std::string name;
  double largest_share = 0;  // of its column in any member's gradients
  std::vector<GradientView> members;
  std::vector<LevelView> levels = {};  // levels of a category that move most; the largest contrast first
};

struct PairView {
  std::size_t first = 0;
  std::size_t second = 0;
  Metric cos2;
  Metric cosine;
  double same = 0;  // share of rows with the same prediction
};

struct Substitution {
  std::vector<std::string> columns, instead;        // these stand in for those
  std::vector<std::size_t> members, other_members;  // who relies on which, from 0
};

// What moved one member most on one row.
struct Reliance {
  std::string column;
  std::string cell;
  double share = 0;
};
struct RowView {
  std::size_t number = 0;  // from 1
  std::string label;       // empty where there are no labels
  std::string predicted;
  std::string of_class;  // the class whose probabilities these are
  double probability = 0;
  double disagreement = 0;
  std::vector<double> members;
  std::vector<std::vector<Reliance>> relied;  // per member, the largest first
  // In a regression, probability and members are predictions, and these are the least and the largest.
  bool regression = false;
  double low = 0, high = 1;
};

// Independence at a distance, measured on some of the judged rows because the ascent costs more than all else on a
// page.
struct DistanceView {
  std::string norm;                          // of the ball: l2, linf
  std::size_t rows = 0;                      // taken evenly
  std::size_t of = 0;                        // how many rows there are
  int steps = 0;                             // of the ascent
  Metric cos2;                               // of these rows' input gradients; relative goes to it as epsilon shrinks
  std::vector<FiniteIndependence> epsilons;  // ascending
};

// Everything that needs rows.
struct RowsView {
  std::string source;                         // the table
  bool as_trained = false;                    // its parts are those of the training
  std::optional<Monitoring> monitoring = {};  // of the new rows, where the model remembers its home
  std::vector<PartView> parts;
  std::string judged;  // the part on which curves, gradients and disputed rows are measured
  // A refit trained the members on the judged rows after these had judged them. Then evaluation, curves, disagreement
  // and the answers to disputed rows are those from before the refit. Where the file does not keep them, there are
  // neither curves nor disagreement. Gradients, pairs and what columns are worth are those of the final members.
  bool trained_since = false;
  std::vector<Curve> roc;  // two classes: ensemble, then members; more: the ensemble's, one curve per class
  std::vector<CalibrationCurve> calibration;  // ensemble, then members
  bool regression = false;            // then the next two are filled, and roc, calibration and risk_coverage are not
  std::vector<CurvePoint> predicted;  // (prediction, target) of some rows
  std::vector<CurvePoint> error_by_coverage;  // (share of the surest rows, their mean absolute error)
  std::vector<Curve> risk_coverage;           // by the members' disagreement, by the ensemble's doubt
  std::vector<std::string> views;             // of the members (MemberFacts::view); empty: all plain
  std::vector<FeatureView> features;          // those of largest share first
  std::size_t features_of = 0;                // how many features there are
  std::vector<FeatureView> named;             // those that were asked for, in the same order
  std::optional<DistanceView> distance;       // two classes, plain features and more than one member
  std::optional<ColumnsWorth> worth;          // where the judged rows have labels; the most important first
  std::size_t worth_of = 0;                   // how many columns the table has; those above are the shuffled ones
  std::vector<Dependence> dependence;         // of the most important columns
  std::vector<PairView> pairs;
  std::vector<Substitution> substitutes;
  std::vector<RowView> disputed;
  std::vector<std::string> warnings;  // what is odd about cells of tables that are not the training's, one line each
};

struct NamedValue {
  std::string name;
  std::string value;
};

struct ModelView {
  std::string name;           // of the file
  std::string sha256;         // of its bytes
  std::string method;         // as the option: lit, restarts, ...
  double lambda = 0;          // 0 for methods without a penalty
  std::string penalty_curve;  // what the penalty's curve shows, in a sentence
  std::size_t members = 0;
  std::vector<double> weights;  // of the members; adapted ensembles differ
  std::string target;
  std::vector<std::string> classes;
  std::size_t columns = 0;
  std::size_t features = 0;
  std::vector<MemberFacts> networks;  // of a model with views; empty: all plain
  RunSummary summary;                 // as measured at the end of training
  std::vector<NamedValue> options;
  ModelCard card;
  std::optional<RowsView> rows;
};

}  // namespace perpend
