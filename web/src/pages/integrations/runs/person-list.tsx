// People of a run, each with a line about them. A long list scrolls inside its frame.
import type { ReactNode } from 'react'
import { classes } from '#ui/base/classes.ts'
import { TextLink } from '#ui/base/text-link.tsx'

interface ListedPerson {
  readonly id: string
  readonly address: string
  readonly teammateId: string | null
  readonly about?: ReactNode
}

const scrolledFrom = 12

export const PersonList = ({
  label,
  people,
}: {
  readonly label: string
  readonly people: readonly ListedPerson[]
}) => (
  <ul
    {...(people.length > scrolledFrom && { tabIndex: 0, 'aria-label': label })}
    className={classes(
      'divide-y divide-line',
      people.length > scrolledFrom && 'max-h-[28rem] overflow-y-auto rounded-xl border border-line px-3',
    )}
  >
    {people.map(({ id, address, teammateId, about }) => (
      <li key={id} className="grid items-baseline gap-x-6 gap-y-0.5 py-2 sm:grid-cols-2">
        {teammateId === null ? (
          <span className="font-medium break-words">{address}</span>
        ) : (
          <TextLink to={`/people/${teammateId}`} className="justify-self-start break-words">
            {address}
          </TextLink>
        )}
        {about && <span className="text-[0.8125rem] text-muted">{about}</span>}
      </li>
    ))}
  </ul>
)
