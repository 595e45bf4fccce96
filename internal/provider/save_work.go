package provider

import (
	"log"
	"os"
	"runtime/debug"
)

// SaveWork disables the framework's logs that nobody reads and relaxes garbage collection.
// A program calls it before it serves the provider.
func SaveWork() {
	quietUnlessAsked()
	collectGarbageLater()
}

// quietUnlessAsked turns the framework's own log off where nobody reads it. By default it
// is written at the most detailed level, for Terraform to throw away, and takes a third of
// the time of a plan over many resources.
func quietUnlessAsked() {
	for _, variable := range []string{"TF_LOG", "TF_LOG_PROVIDER", "TF_LOG_SDK"} {
		if os.Getenv(variable) != "" {
			return
		}
	}
	if err := os.Setenv("TF_LOG_SDK", "OFF"); err != nil {
		log.Print(err)
	}
}

// collectGarbageLater takes some more memory for less time spent on garbage, of which the
// framework leaves much. GOGC goes first.
func collectGarbageLater() {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
