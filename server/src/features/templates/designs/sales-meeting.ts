import type { Design } from '../design.ts'
import { contactLine } from '../parts/contacts.ts'
import { column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { logo, portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const salesMeeting: Design = {
  id: 'sales-meeting',
  name: 'Book a meeting',
  description: 'A portrait beside a button that leads to the calendar, with a place for a campaign banner.',
  category: 'sales',
  build: kit =>
    signature(16, [
      row(16, [
        portrait(kit, 96, 'rounded'),
        column(12, [
          column(0, [
            nameLine(kit),
            roleLine(kit, 'job_title'),
            contactLine(kit, ['work_phone', 'mobile_phone', 'email']),
          ]),
          button(kit, 'calendar_link', 'Book a meeting'),
        ]),
      ]),
      logo(kit, 140, 40),
      { type: 'marketing', displayName: 'Campaign banner' },
    ]),
}
