import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { accentRule, below, signature } from '../parts/layout.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const minimalStack: Design = {
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
}
