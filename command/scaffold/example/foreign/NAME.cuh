// A header beside the source, as a kernel's own project has it.
namespace filters {

// What sums of a type are kept in.
template <typename T> struct Sum { typedef float type; };
template <> struct Sum<double> { typedef double type; };

}  // namespace filters
