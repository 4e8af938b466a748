import type { Design } from '../design.ts'
import { brandLine, contactLine } from '../parts/contacts.ts'
import { barred, below, column, row, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'

export const corporateLetterhead: Design = {
  id: 'corporate-letterhead',
  name: 'Letterhead',
  description: 'The logo at the left of a fine line, everything else in calm lines of text.',
  category: 'corporate',
  build: kit => {
    const facts = column([
      nameLine(kit),
      roleLine(kit, 'job_title'),
      below(8, contactLine(kit, ['work_phone', 'mobile_phone'], { letters: true })),
      contactLine(kit, ['email']),
      below(8, brandLine(kit, ['website', 'address'], { size: 'small' })),
    ])
    const mark = logo(kit, 136, 72)
    const line = { thickness: 1, gap: 20, color: kit.palette.line }
    return signature([
      mark === null ? facts : row(20, [mark, barred(kit, facts, line)], { verticalAlign: 'middle' }),
      below(12, legalLine(kit)),
    ])
  },
}
