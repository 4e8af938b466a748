// Every advisory lock of the code base. PostgreSQL keeps one space of numbers per database: two locks must never share
// one.
import { raw, type Sql, sql } from './db.ts'

export const locks = {
  /** Embedded PostgreSQL: held (shared) by every process that uses it; the last one to leave stops PostgreSQL. */
  embeddedInUse: 7_364_001,
  /** Embedded PostgreSQL: held by the one process that serves from a data folder. */
  embeddedServing: 7_364_002,
  /** With a worker's id: held (shared) while the worker lives. The rescue job unlocks the jobs of dead workers. */
  worker: 7_364_003,
  /** Held (shared) by a worker from its first claim until it holds `worker`. A rescue waits for it. */
  startingWorker: 7_364_009,
  /** With workspace and content hash: the bytes of one file, between leases and removals. */
  assetBytes: 7_364_004,
  /** Held by a backup: no file is removed meanwhile. */
  assetRemovals: 7_364_005,
  /** With a workspace: who receives which signature. Shared by changes of people, exclusive for changes of rules. */
  recipients: 7_364_006,
  /** With a workspace: its webhooks are created one at a time, because their number is limited. */
  webhooks: 7_364_007,
  /** With a workspace: its connections for single sign-on and its sign-in policy change one at a time. */
  sso: 7_364_008,
  /** One process at a time applies migrations. */
  migrations: 7_364_010,
  /** Processes that start at the same time create one first workspace. */
  firstStart: 7_364_011,
  /** With a workspace: one change of its owner at a time. */
  ownership: 7_364_012,
  /** With the hash of an address or network: wrong passwords and codes are counted one after the other. */
  signInAttempts: 7_364_013,
  /** With a workspace and a part of its addresses: one reconcile at a time. */
  reconcile: 7_364_015,
  /** With a workspace: its changes of many teammates are stored one at a time, because their number is limited. */
  teammateChanges: 7_364_016,
  /** With a workspace that has a seat limit: one transaction at a time makes teammates active. */
  seats: 7_364_017,
  /** With a workspace: its invoices are issued one at a time, so that no period is issued twice. */
  invoices: 7_364_018,
  /** With a random name: held for a moment, to show that two connections lead to the same database. */
  sameDatabase: 7_364_019,
  /** One transaction at a time changes who may send through relays, because two of them must not claim a sender. */
  relayClaims: 7_364_020,
  /** With a session's name: held (shared) while a dedicated connection lives. See `isDatabaseSessionGone`. */
  session: 7_364_021,
  /** One transaction at a time moves, drops or recounts events. */
  eventFolding: 7_364_030,
} as const

/** A lock's number as a literal of the statement, not as a parameter. */
export const lockLiteral = (lock: number): Sql => raw(String(lock))

/** The key of a lock that exists once per `name`, for example per workspace. */
export const namedLock = (lock: number, name: string): Sql =>
  sql`hashtextextended(${name}, ${lockLiteral(lock)})`
