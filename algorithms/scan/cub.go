package scan

import "bench/framework"

func cubVersions() []framework.Version { return nil }
