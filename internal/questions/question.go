// Package questions asks Neon about doubts of the emulator. A doubt with a reading has a Question,
// unless no request can answer it; one without has a Question only where the answer would change what the
// provider checks, says or asks for.
//
// It knows nothing of Neon but HTTP, and of the emulator only its doubts.
package questions

import (
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
)

// Question asks for what the emulator decided in doubt.
type Question struct {
	Doubt *doubts.Doubt
	// Asks says what is sent, and looked at.
	Asks string
	// Decided is the answer that the emulator gives.
	Decided string
	// Plans are those of an organization that it can be asked on; none for all.
	Plans []string
	// Computes are those of 0.25 CU that it needs beside the one of the project that questions
	// share, and Seconds how long they or a waiting take on Neon, about.
	Computes, Seconds int
	// NoProject says that it needs no project either, and so costs nothing.
	NoProject bool
	// ask returns the answer in the words of Decided. What is in its way it stops with.
	ask func(*asker) string
}

const (
	free   = "free"
	launch = "launch"
	scale  = "scale"
)

var (
	onFree  = []string{free}
	onPaid  = []string{launch, scale}
	onScale = []string{scale}
)

// All are the questions.
func All() []Question {
	return slices.Concat(
		projectQuestions, sharingQuestions, planQuestions, branchQuestions, restoreQuestions, anonymizedQuestions,
		snapshotQuestions,
		computeQuestions, roleQuestions, keyQuestions, memberQuestions, networkQuestions, moneyQuestions, operationQuestions,
	)
}
