// Package client calls Neon's two HTTP APIs: the control API (projects, branches, compute endpoints, API keys,
// operations) and the claimable API (a temporary PostgreSQL without an account). It knows nothing of Terraform.
//
// Each kind of object has a file with its calls: branches.go, endpoints.go and so on. Each request goes through these
// stages, in this order; a refusal or a failure goes back through them until one knows what to do about it:
//
//  1. The method of an object, such as CreateBranch, describes the request with a call (call.go), for most kinds by
//     way of what kinds.go reads, changes and deletes, and lists.go lists.
//  2. writeOnce (lost_writes.go), for a write whose answer can be lost: looks for the effect before anything is sent
//     again. A creation comes to it by creation.run (creations.go), a change by kind.change, a deletion by remove, and
//     what has no object by settle.
//  3. The shared reads (reads.go), for a read of one object: may take it from a list that many reads share.
//  4. do (client.go): takes a write through its stages: it must say how its effect is recognized, and is refused by a
//     client that only reads (identity.go), invalidates the shared reads (reads.go), and after a 423, which Neon
//     answers while other work is under way, enters its line (locked_writes.go).
//  5. send (client.go): builds the HTTP request, and makes the answer a value or one of the errors of errors.go and
//     absence.go.
//  6. checkRetry (retry.go), called by go-retryablehttp after each attempt: judge is the table of what may be sent
//     again. It leaves a 423 to the line where there is one.
//  7. RoundTrip (transport.go), for each attempt: waits for the rate limits (limits.go) and until no earlier write can
//     take or undo what it does (lost_writes.go), sends, reads the whole answer, and writes the log without secrets
//     (log.go).
//
// Names say what a method promises. GetBranch reads one object by a request of its own; GetSharedBranch takes it from
// a list that reads share which come close together, and that may be some seconds old. IsAbsent is true for the error
// about one that doesn't exist. ListBranches walks all of them: one that can't be decoded comes with an error of its
// own, after which the walk goes on. DeleteBranch is content with one that is gone already. What a change returns is
// whole when the operations that come with it have finished.
//
// What would go wrong without a mechanism, and a test that fails then:
//
//   - After a lost answer, a write is sent again though it had an effect, or is given up though it had none:
//     lost_writes.go, TestEveryWriteThroughEveryAccident.
//   - A conflict with what our own lost attempt has created counts as somebody else's object:
//     lost_writes.go, TestEveryWriteThroughAConflict.
//   - Two creations side by side take one object for theirs: creations.go, TestOneObjectHasOneOwner.
//   - What another run has created becomes ours: creations.go, TestTheFirstThatAppearsMayBeAnothers.
//   - A key exists whose token nobody has: key_creation.go, TestAKeyWhoseAnswerIsLostIsMadeOnce.
//   - A write that takes effect a minute late undoes the one after it:
//     lost_writes.go, TestALateDeletionByName, TestALateChange, TestALateReplacement, TestADeletionAfterALateWrite.
//   - A write fails because other work of the project runs, or overtakes those that wait for it:
//     locked_writes.go, TestALockEndsAWriteOnlyByItsTimeout, TestTheLineOfALockedBranch.
//   - A page of a proxy counts as Neon's word: retry.go, absence.go, TestEveryReadThroughWhatIsForeign,
//     TestEveryWriteThroughAProxysRefusal; or it ends a wait: wait.go, TestNothingForeignEndsAWait.
//   - An object is gone because a list ended early: lists.go, TestAListThatEndsEarlyProvesNothing.
//   - A plan over many objects sends a request for each, or shows what was there before our own write:
//     reads.go, TestReadsThatComeCloseTogetherShareAList, TestAWriteMakesTheListStale.
//   - Neon refuses requests because they come too fast: limits.go, TestTheLimitsAreKept.
//   - A log or an error shows a secret: log.go, TestNoSecretIsLogged.
package client
