// What PostgreSQL refuses, as a sentence for the operator.
import pg from 'pg'
import { isUnreachable } from './db.ts'

const stopping = 'PostgreSQL is stopping or starting: try again shortly'
const noAccess = 'PostgreSQL refuses the user or the password'

/** By SQLSTATE. */
const sentences: Readonly<Record<string, string>> = {
  '53300':
    'PostgreSQL takes no more connections: try again later, run fewer commands at a time, or raise its `max_connections`',
  '57P01': stopping,
  '57P02': stopping,
  '57P03': stopping,
  '28P01': noAccess,
  '28000': noAccess,
  '3D000': 'PostgreSQL has no such database',
}

/** Undefined: it is another error of PostgreSQL, or of something else. */
export function refusalOfDatabase(error: unknown): string | undefined {
  const sentence = error instanceof pg.DatabaseError ? sentences[error.code ?? ''] : undefined
  return sentence && `${sentence} (${(error as Error).message}).`
}

/**
 * Describes an error that certainly comes from the connection to PostgreSQL: files and other servers have the same
 * codes.
 */
export const problemOfConnection = (error: unknown): string | undefined =>
  refusalOfDatabase(error) ??
  (isUnreachable(error)
    ? `PostgreSQL cannot be reached: try again shortly (${(error as Error).message}).`
    : undefined)
