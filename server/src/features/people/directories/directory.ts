// What a source of people implements. docs/internals/directories.md says how a source is added.

import type { Db } from '#kernel/db/db.ts'

/** The id of a person or group in the directory. It stays the same when the record is renamed. At most 500 characters. */
export type ExternalId = string

/** A person as the source describes it. */
export interface DirectoryPerson {
  readonly externalId: ExternalId
  readonly primaryAddress: string
  readonly aliases: readonly string[]
  /** False for accounts that are suspended, disabled or archived. */
  readonly isActive: boolean
  /** Texts by path, such as `name.givenName` or `customSchemas.Contact.pronouns`. Values that are empty can be left out. */
  readonly attributes: Readonly<Record<string, string>>
  /** Changes with the photo. Null or left out: no photo. */
  readonly photoTag?: string | null
  /** The org unit that the person is directly in. */
  readonly orgUnitId?: ExternalId | null
  /** The line of a file. */
  readonly line?: number
}

export interface DirectoryGroup {
  readonly externalId: ExternalId
  readonly name: string
  readonly subKind: 'org_unit' | 'group' | 'department'
  /** The org unit that an org unit is part of. */
  readonly parentId?: ExternalId | null
}

/** Direct members of a group: people and other groups. Ids that the directory does not name elsewhere are kept. */
export interface DirectoryMembership {
  readonly group: ExternalId
  readonly add: readonly ExternalId[]
  readonly remove: readonly ExternalId[]
  /**
   * `add` holds all members: the others are removed. Without it, a full run removes the members of this group that no page
   * of the run has added; a delta only adds and removes what it names.
   */
  readonly isComplete: boolean
}

/**
 * A record that the source cannot use, such as a line with too few cells. Nothing of it is written, and it is a problem
 * of the run. A missing person whom one of its texts names does not leave. If there is none, a record that is unusable can
 * be about any missing person, so that leavers wait for an approval.
 */
export interface RefusedRecord {
  /** The line of the file. */
  readonly line: number
  /** `conflict`: it can be read, but an earlier record has the same id. */
  readonly kind: 'conflict' | 'unusable'
  /** The name of the column; null: the whole line. */
  readonly field: string | null
  readonly message: string
  /** Everything that can be the id or an address of its person. */
  readonly texts: readonly string[]
}

/**
 * A part of a run. The engine writes people and groups as pages arrive. Leavers and members who were removed are written
 * after the last page only, so that a run which does not end removes nothing.
 */
export interface DirectoryPage {
  readonly people?: readonly DirectoryPerson[]
  /** Records of a full run that cannot be used. */
  readonly refused?: readonly RefusedRecord[]
  /** People who were deleted. For deltas; a full run finds missing people by itself. */
  readonly gone?: readonly ExternalId[]
  readonly groups?: readonly DirectoryGroup[]
  readonly goneGroups?: readonly ExternalId[]
  readonly memberships?: readonly DirectoryMembership[]
  /** The own domains of the company; replaces those that were told before. */
  readonly domains?: readonly string[]
  /** The beginning of the next run. Stored when the run ends; the last one counts. Null or left out: the next run is full. */
  readonly cursor?: string | null
  /**
   * True if the run names all people and all groups. A source that is asked for a delta and has to read everything sets
   * it on its first page; all pages of a run agree.
   */
  readonly isFull: boolean
}

/** The connection of a source to its directory. */
export interface DirectoryConnection {
  /** The database, for sources whose records are in it already, such as the rows of a file. */
  readonly db: Db
  readonly workspaceId: string
  readonly integrationId: string
  readonly settings: Readonly<Record<string, unknown>>
  /** The secret that `IntegrationKind.accept` returned. */
  readonly secret: string | null
  /** Aborted when the run has to stop. Requests of the source must obey it. */
  readonly signal: AbortSignal
  /** Groups that signatures use: a source whose groups are many can read the members of the others less often. */
  readonly groupsInUse: ReadonlySet<ExternalId>
  /** The import that holds the rows of a CSV directory. */
  readonly importId: string | null
  /** The columns of a previewed file, whose import has no mapping yet. */
  readonly mapping?: Readonly<Record<string, string | null>>
}

export interface DirectoryPhoto {
  readonly bytes: Buffer
}

/** An attribute that the source can offer, for people who map smart fields. */
export interface OfferedAttribute {
  readonly path: string
  readonly label: string
  /** The key of the built-in smart field that fits. */
  readonly suggestedField?: string
}

export interface Directory {
  /**
   * Yields everything, or what has changed since the cursor. An error that an admin can correct, or that passes, is
   * thrown as DirectoryError.
   */
  read(connection: DirectoryConnection, since: string | null): AsyncIterable<DirectoryPage>
  /** The attributes with labels; those that people have besides are listed by their paths. */
  readonly attributes: readonly OfferedAttribute[]
  /**
   * A text that changes with the photo, for sources whose people have no `photoTag`; null: no photo. The photo job asks
   * for each person once a day.
   */
  photoTag?(connection: DirectoryConnection, externalId: ExternalId): Promise<string | null>
  /** Null: the person has no photo. */
  photo?(connection: DirectoryConnection, externalId: ExternalId): Promise<DirectoryPhoto | null>
  /** It knows no deltas: its cursor holds something else. */
  readonly isAlwaysFull?: boolean
  /** False for sources that send changes themselves (SCIM, CSV): they have no schedule. */
  readonly isScheduled: boolean
  /** A run reads people who are stored here: while some of them lack a seat, it is repeated. */
  readonly readsStoredPeople?: boolean
}

/** The sources by the kinds of their integrations. */
export type Directories = ReadonlyMap<string, Directory>

/** Kinds of integrations whose sources have a schedule, or of those that send changes themselves. */
export const kindsOfSources = (directories: Directories, isScheduled: boolean): string[] =>
  [...directories].filter(([, source]) => source.isScheduled === isScheduled).map(([kind]) => kind)

/**
 * `access_lost`: an admin has to do something; the integration shows the message at once. `unavailable`: it passes; the
 * integration shows the message after three runs. `invalid_answer`: the answer makes no sense, as after a change of the
 * API.
 */
export type DirectoryErrorCode = 'access_lost' | 'unavailable' | 'invalid_answer'

export class DirectoryError extends Error {
  readonly code: DirectoryErrorCode

  /** The message is a sentence for admins, with the remedy where there is one. */
  constructor(code: DirectoryErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The path of the attribute that image fields are mapped to. */
export const photoAttribute = 'photo'
