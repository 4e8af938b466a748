import type { Design } from '../design.ts'
import { contactLine, letterLine, letterRows } from '../parts/contacts.ts'
import { banner, below, column, row, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { logo, portrait, socialRow } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

/** A card with all data has 69 modules with its margin: each is more than two pixels wide. */
export const codeSize = 148
export const codeColor = '#101828'

export const salesDesigns: readonly Design[] = [
  {
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
  },
  {
    id: 'sales-banner',
    name: 'Campaign',
    description: 'Logo and name in few words, then the banner of the running campaign in full width.',
    category: 'sales',
    isDrawnWithBanner: true,
    build: kit => {
      const mark = logo(kit, 120, 48)
      const facts = column([
        nameLine(kit, { size: 'lead' }),
        roleLine(kit, 'job_title'),
        contactLine(kit, ['email', 'work_phone']),
      ])
      return signature([
        mark === null ? facts : row(16, [mark, facts], { verticalAlign: 'middle' }),
        // The row has a space below it already.
        mark === null ? below(16, banner()) : banner(),
        below(12, socialRow(kit, { size: 24, gap: 8, discs: true })),
      ])
    },
  },
  {
    id: 'sales-contact-card',
    name: 'Contact card',
    description: 'A QR code and a button that save the contact data in the address book of a phone.',
    category: 'sales',
    build: kit =>
      signature([
        row(20, [
          { type: 'qrCode', displayName: 'Contact card', content: 'vcard', size: codeSize, color: codeColor },
          column([
            below(3, nameLine(kit)),
            roleLine(kit, 'job_title'),
            below(8, letterRows(kit, { keys: ['work_phone', 'email'], gap: 0 })),
            below(12, button(kit, { vcard: true }, 'Save my contact', { variant: 'outline' })),
          ]),
        ]),
      ]),
  },
]
