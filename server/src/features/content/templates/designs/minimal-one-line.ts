import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { below, signature } from '../parts/layout.ts'
import { fieldToken, line, nameTokens } from '../parts/text.ts'

export const minimalOneLine: Design = {
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
}
