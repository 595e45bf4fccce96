package doubts

var data = &section{title: "Data of branches"}

var (
	_ = data.add(&Doubt{Key: "data-written-meanwhile", What: "What a branch holds of what is written while it is created", Decided: "what was committed until the answer, at most 5 s later"})
	_ = data.add(&Doubt{Key: "data-not-copied", What: "A branch whose data can't be copied", Decided: "its `create_branch` fails, and what follows is cancelled"})
	_ = data.add(&Doubt{Key: "data-conflicts", What: "Writes on a branch while its data is worked on, with `-conflicts none`", Decided: "423"})
	_ = data.add(&Doubt{Key: "data-of-the-past", What: "A branch, a restore or a snapshot of a moment in the past", Decided: "refused with 422 where the branch's data has changed since, as no history is kept; with `-past present` it has the data of now"})
	_ = data.add(&Doubt{Key: "data-schema-only", What: "A schema-only branch", Decided: "sequences start anew, large objects are gone, materialized views aren't populated"})
	_ = data.add(&Doubt{Key: "data-unlogged", What: "Unlogged tables", Decided: "empty on a branch of a branch in use"})
	_ = data.add(&Doubt{Key: "data-new-roles", What: "Roles that API calls create", Decided: "members of `neon_superuser`, which reads and writes all data, with CREATEDB, CREATEROLE and BYPASSRLS; without REPLICATION, which Neon's have: it loads libraries from anywhere on the machine"})
	_ = data.add(&Doubt{Key: "data-sql-changes", What: "Roles and databases that SQL creates, changes or drops", Decided: "are so in the API once the transaction has ended; what SQL renames gets another id; what a function changes shows with the next statement about a role or a database, or the next `DO`"})
	_ = data.add(&Doubt{Key: "data-sql-passwords", What: "Passwords that SQL sets", Decided: "let in at once, and the API tells them where the statement has them as they are; those that the client has hashed, which Neon refuses, let in and are told to nobody"})
	_ = data.add(&Doubt{Key: "data-deleted-role", What: "A deleted role", Decided: "is gone; what it owned goes to the owner of its database"})
	_ = data.add(&Doubt{Key: "data-renamed-database", What: "A renamed database", Decided: "has the new name once the operation has ended; connections to it end"})
	_ = data.add(&Doubt{Key: "data-replicas", What: "Read-only endpoints", Decided: "replicas that catch up at login, and follow within milliseconds"})
	_ = data.add(&Doubt{Key: "data-idle-server", What: "A server that no session uses", Decided: "ends after 15 s, while its compute stays active until its timeout"})
	_ = data.add(&Doubt{Key: "data-channel-binding", What: "A client that sends `channel_binding` of its connection string to the server as a setting, as postgres.js does", Decided: "it is passed over. PostgreSQL itself refuses settings that it does not know"})
)
