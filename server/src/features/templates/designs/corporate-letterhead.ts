import type { Design } from '../design.ts'
import { contactLine, contactToken } from '../parts/contacts.ts'
import { barred, column, row, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, line, nameLine, roleLine } from '../parts/text.ts'

export const corporateLetterhead: Design = {
  id: 'corporate-letterhead',
  name: 'Letterhead',
  description: 'The logo at the left of a fine line, everything else in calm lines of text.',
  category: 'corporate',
  build: kit => {
    const address = contactToken(kit, 'address', { size: 'small', color: kit.palette.muted })
    const facts = column(8, [
      column(0, [nameLine(kit), roleLine(kit, 'job_title'), roleLine(kit, 'company')]),
      column(0, [
        contactLine(kit, ['work_phone', 'mobile_phone'], { letters: true }),
        contactLine(kit, ['email', 'website']),
      ]),
      address && line('Address', address),
    ])
    const mark = logo(kit, 136, 72)
    return signature(12, [
      mark === null
        ? facts
        : row(20, [mark, barred(kit, facts, { thickness: 1, gap: 20, color: kit.palette.line })]),
      legalLine(kit),
    ])
  },
}
