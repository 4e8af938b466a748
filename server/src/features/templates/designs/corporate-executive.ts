import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { accentRule, column, row, signature } from '../parts/layout.ts'
import { logo, portrait } from '../parts/pictures.ts'
import { nameLine, roleLine } from '../parts/text.ts'

export const corporateExecutive: Design = {
  id: 'corporate-executive',
  name: 'Executive',
  description: 'The name over a short accent line, with the portrait at the right.',
  category: 'corporate',
  build: kit =>
    signature(16, [
      row(32, [
        column(12, [
          column(0, [nameLine(kit, { size: 'title' }), roleLine(kit, 'job_title', { size: 'lead' })]),
          accentRule(kit, 40, 3),
          letterRows(kit, { keys: ['work_phone', 'mobile_phone', 'email', 'website'], gap: 0 }),
        ]),
        portrait(kit, 120, 'rounded'),
      ]),
      logo(kit, 140, 40),
    ]),
}
