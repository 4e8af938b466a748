import { Type } from 'typebox'
import { OneOf } from '#kernel/api/validation.ts'
import { ClosedObject, NamedObject } from '#kernel/base/closed.ts'
import { mostCounted, mostPeople } from './queries.ts'
import { checklistKeys } from './rules.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const Checklist = NamedObject('Checklist', {
  dismissed: Type.Boolean({ description: 'An admin has hidden the checklist.' }),
  done: Type.Integer(),
  total: Type.Integer(),
  items: Type.Array(
    ClosedObject({
      key: OneOf(checklistKeys, {
        description:
          '`install`: a mailbox has its signature. `members`: a second member was invited. `mail`: a mail server is set. `domains`: the own domains are named.',
      }),
      done: Type.Boolean(),
      count: count(
        `How many there are, of \`people\` the active ones; except for \`people\`, counting stops at ${mostCounted.toLocaleString('en')}.`,
      ),
    }),
  ),
  attention: ClosedObject(
    {
      failed_installations: count(`Counting stops at ${mostCounted.toLocaleString('en')}.`),
      people_with_missing_values: count(
        `Active people who lack a value that a live signature of theirs shows and that has no fallback. The newest ${mostPeople} are examined.`,
      ),
      people_with_missing_values_is_lower_bound: Type.Boolean({
        description: `There are more than ${mostPeople} active people, so \`people_with_missing_values\` can be higher. False: it is exact.`,
      }),
      halted_channels: count('Connected systems with `status: error`.'),
      failing_webhooks: count('Webhooks whose last deliveries failed, or that the service switched off.'),
      profile_changes: count('Changes of profiles that wait for approval.'),
      publication_requests: count('Publications that wait for approval.'),
    },
    { description: 'What an admin should look at.' },
  ),
})

export const ChecklistPatch = NamedObject(
  'ChecklistPatch',
  { dismissed: Type.Optional(Type.Boolean({ description: 'Hides the checklist, or shows it again.' })) },
  { examples: [{ dismissed: true }] },
)
