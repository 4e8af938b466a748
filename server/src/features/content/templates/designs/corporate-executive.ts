import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { accentRule, below, column, row, signature } from '../parts/layout.ts'
import { logo, portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateExecutive: Design = {
  id: 'corporate-executive',
  name: 'Executive',
  description: 'A large name over a short accent line, with the portrait at the right.',
  category: 'corporate',
  build: kit =>
    signature([
      row(16, [
        column([
          nameLine(kit, { size: 'title' }),
          roleLine(kit, 'job_title', { size: 'lead' }),
          below(8, accentRule(kit, 40, 3)),
          below(12, letterRows(kit, { keys: ['work_phone', 'mobile_phone', 'email'], gap: 0 })),
        ]),
        portrait(kit, 120, 'rounded'),
      ]),
      logo(kit, 140, 40),
    ]),
}
