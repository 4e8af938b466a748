import { type Db, sql } from '#kernel/db/db.ts'
import { type DirectoryRef, ofDirectory } from '../queries.ts'

interface UsedAttribute {
  readonly path: string
  readonly people: number
  readonly examples: readonly string[]
}

/** People who are read for examples: enough to find every attribute that is in use. */
const sampled = 1_000

/** The attributes of some people, with how many of them have a value, and different examples. */
export const readAttributes = (db: Db, directory: DirectoryRef) =>
  db.query<UsedAttribute>(sql`
    with sample as (
      select attributes from directory_people
      where ${ofDirectory(directory)} and state <> 'gone'
      order by external_id limit ${sampled}
    ),
    counted as (
      select a.key as path, left(a.value, 200) as value, count(*)::int as n
      from sample, jsonb_each_text(sample.attributes) a group by a.key, left(a.value, 200)
    )
    select path, sum(n)::int as people, (array_agg(value order by n desc, value))[1:3] as examples
    from counted group by path order by path limit 1000`)
