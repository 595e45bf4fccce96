// Package questions asks a platform for what the emulator decided without a source: each
// row of internal/emulator/DOUBTS.md that requests can answer is a Question.
//
// It knows nothing of the platform but HTTP, and nothing of the emulator.
package questions

import "slices"

// Question asks for what one row of DOUBTS.md decided.
type Question struct {
	// Key is the row's.
	Key string
	// Asks says what is sent, and looked at.
	Asks string
	// Decided is the answer by the emulator's decision.
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

// All are the questions, in the order of the rows.
func All() []Question {
	return slices.Concat(
		projectQuestions, sharingQuestions, planQuestions, branchQuestions, restoreQuestions, anonymizedQuestions, snapshotQuestions, schemaQuestions,
		computeQuestions, roleQuestions, keyQuestions, memberQuestions, networkQuestions, moneyQuestions, operationQuestions, claimableQuestions,
	)
}
