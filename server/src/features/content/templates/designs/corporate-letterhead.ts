import type { Design } from '../design.ts'
import { brandLine, contactLine, letterLine } from '../parts/contacts.ts'
import { barred, below, column, group, readingWidth, row, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'

export const corporateLetterhead: Design = {
  id: 'corporate-letterhead',
  name: 'Letterhead',
  description: 'The logo at the left of a fine line, everything else in calm lines of text.',
  category: 'corporate',
  build: kit => {
    const mark = logo(kit, 128, 72)
    const facts = column([
      nameLine(kit),
      roleLine(kit, 'job_title'),
      mark === null ? roleLine(kit, 'company') : null,
      below(8, contactLine(kit, ['email'])),
      letterLine(kit, ['work_phone', 'mobile_phone']),
      ...group(8, [
        brandLine(kit, 'website'),
        brandLine(kit, 'address', { size: 'small', color: kit.palette.muted }),
      ]),
    ])
    const line = { thickness: 1, gap: 20, color: kit.palette.line }
    return signature(
      [
        mark === null
          ? barred(kit, facts)
          : row(20, [mark, barred(kit, facts, line)], { verticalAlign: 'middle' }),
        below(12, legalLine(kit)),
      ],
      kit.legal === null ? {} : readingWidth,
    )
  },
}
