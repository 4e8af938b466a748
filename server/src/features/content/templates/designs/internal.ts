import type { Design } from '../design.ts'
import { letterLine, letterRows } from '../parts/contacts.ts'
import { barred, below, column, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { fieldToken, line, nameLine, nameTokens, roleLine } from '../parts/text.ts'

export const internalDesigns: readonly Design[] = [
  {
    id: 'internal-directory',
    name: 'Directory',
    description: 'For colleagues: department and desk phone, and a button to find a time. No logo.',
    category: 'internal',
    build: kit => {
      const labels = { work_phone: 'Desk', mobile_phone: 'Mobile', email: 'Email' }
      return signature([
        nameLine(kit, { size: 'lead' }),
        roleLine(kit, 'job_title'),
        roleLine(kit, 'department', { bold: true, color: kit.palette.accent }),
        below(8, letterRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 }, labels)),
        below(
          12,
          button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Find a time', { variant: 'outline' }),
        ),
      ])
    },
  },
  {
    id: 'internal-compact',
    name: 'Compact',
    description: 'For colleagues: name, department and numbers beside a small bar.',
    category: 'internal',
    build: kit =>
      signature([
        barred(
          kit,
          column([
            line(
              'Name',
              ...nameTokens(kit, { size: 'body' }),
              fieldToken(kit, 'department', { color: kit.palette.muted }, { prefix: ' · ' }),
            ),
            letterLine(kit, ['work_phone', 'mobile_phone'], { size: 'small' }),
          ]),
          { thickness: 3, gap: 12 },
        ),
      ]),
  },
]
