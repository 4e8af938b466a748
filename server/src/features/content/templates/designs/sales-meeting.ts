import type { Design } from '../design.ts'
import { contactLine, letterLine } from '../parts/contacts.ts'
import { below, column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesMeeting: Design = {
  id: 'sales-meeting',
  name: 'Book a meeting',
  description: 'A portrait beside a button that leads to the calendar, with the campaign banner below.',
  category: 'sales',
  isDrawnWithBanner: true,
  build: kit =>
    signature([
      row(16, [
        portrait(kit, 112, 'rounded'),
        column([
          nameLine(kit),
          roleLine(kit, 'job_title'),
          below(4, contactLine(kit, ['email', 'website'])),
          letterLine(kit, ['work_phone', 'mobile_phone']),
          below(12, button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Book a meeting')),
        ]),
      ]),
    ]),
}
