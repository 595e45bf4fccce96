package doubts

var data = &section{title: "Data of branches"}

var (
	_ = data.add("data-written-meanwhile", "What a branch holds of what is written while it is created", "what was committed until the answer, at most 5 s later")
	_ = data.add("data-not-copied", "A branch whose data can't be copied", "its `create_branch` fails, and what follows is cancelled")
	_ = data.add("data-conflicts", "Writes on a branch while its data is worked on, with `-conflicts none`", "423")
	_ = data.add("data-of-the-past", "A branch, a restore or a snapshot of a moment in the past", "refused with 422 where the branch's data has changed since, as no history is kept; with `-past present` it has the data of now")
	_ = data.add("data-schema-only", "A schema-only branch", "sequences start anew, large objects are gone, materialized views aren't populated")
	_ = data.add("data-unlogged", "Unlogged tables", "empty on a branch of a branch in use")
	_ = data.add("data-new-roles", "Roles that API calls create", "members of `neon_superuser`, which reads and writes all data, with CREATEDB, CREATEROLE and BYPASSRLS; without REPLICATION, which Neon's have: it loads libraries from anywhere on the machine")
	_ = data.add("data-sql-changes", "Roles and databases that SQL creates, changes or drops", "are so in the API once the transaction has ended; what SQL renames gets another id; what a function changes shows with the next statement about a role or a database, or the next `DO`")
	_ = data.add("data-sql-passwords", "Passwords that SQL sets", "let in at once, and the API tells them where the statement has them as they are; those that the client has hashed, which Neon refuses, let in and are told to nobody")
	_ = data.add("data-deleted-role", "A deleted role", "is gone; what it owned goes to the owner of its database")
	_ = data.add("data-renamed-database", "A renamed database", "has the new name once the operation has ended; connections to it end")
	_ = data.add("data-replicas", "Read-only endpoints", "replicas that catch up at login, and follow within milliseconds")
	_ = data.add("data-idle-server", "A server that no session uses", "ends after 15 s, while its compute stays active until its timeout")
	_ = data.add("data-channel-binding", "A client that sends `channel_binding` of its connection string to the server as a setting, as postgres.js does", "it is passed over. PostgreSQL itself refuses settings that it does not know")
)
