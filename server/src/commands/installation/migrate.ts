import { print, withDatabase } from '../context.ts'

export const migrate = (): Promise<void> =>
  withDatabase(
    'migrate',
    async ({ applied }) => {
      print(applied.length === 0 ? 'The database is up to date.' : `Applied: ${applied.join(', ')}`)
    },
    { isFirst: true },
  )
