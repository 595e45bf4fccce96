package provider

import (
	"log"
	"os"
	"runtime/debug"
)

// SaveWork has a program that serves the provider do less of what nobody needs. It
// is to be called before anything is served.
func SaveWork() {
	quietUnlessAsked()
	collectGarbageLater()
}

// quietUnlessAsked turns the framework's own log off where nobody reads it. It is
// written at the most talkative level by default, for Terraform to throw away, and
// costs a third of the time that a plan over many resources takes.
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

// collectGarbageLater has a plan over many resources spend less time on garbage,
// of which the framework makes much, for some memory more. GOGC goes first.
func collectGarbageLater() {
	const percent = 400
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
