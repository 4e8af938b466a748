import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { accentRule, below, signature } from '../parts/layout.ts'
import { fieldToken, line, nameLine, nameTokens, roleLine } from '../parts/text.ts'

export const minimalDesigns: readonly Design[] = [
  {
    id: 'minimal-one-line',
    name: 'One line',
    description: 'The name with the title beside it, and the contact data in one quiet line below.',
    category: 'minimal',
    build: kit =>
      signature([
        line(
          'Name',
          ...nameTokens(kit, { size: 'lead' }),
          fieldToken(kit, 'job_title', { size: 'lead', color: kit.palette.muted }, { prefix: ' · ' }),
        ),
        below(4, contactLine(kit, ['email', 'work_phone', 'website'])),
      ]),
  },
  {
    id: 'minimal-stack',
    name: 'Quiet',
    description: 'Name, title and company in three lines, a small accent, and the contact data.',
    category: 'minimal',
    build: kit =>
      signature([
        nameLine(kit, { size: 'lead' }),
        roleLine(kit, 'job_title'),
        roleLine(kit, 'company'),
        below(8, accentRule(kit, 24)),
        below(8, contactLine(kit, ['email', 'work_phone'])),
      ]),
  },
]
