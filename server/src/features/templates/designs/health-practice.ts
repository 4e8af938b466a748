import type { Design } from '../design.ts'
import { letterRows } from '../parts/contacts.ts'
import { column, row, rule, signature } from '../parts/layout.ts'
import { logo } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine } from '../parts/text.ts'

const privacy =
  'Please do not send medical information by email. In an emergency, call your local emergency number.'

export const healthPractice: Design = {
  id: 'health-practice',
  name: 'Practice',
  description: 'A heart on a coloured disc, contact data with words, and a note for patients.',
  category: 'health',
  build: kit => {
    const { palette } = kit
    return signature(12, [
      row(
        16,
        [
          {
            type: 'icon',
            displayName: 'Heart',
            name: 'heart',
            size: 48,
            color: palette.onFill,
            backgroundColor: palette.fill,
            shape: 'circle',
          },
          column(0, [nameLine(kit), roleLine(kit, 'job_title'), roleLine(kit, 'department')]),
        ],
        { verticalAlign: 'middle', wrap: false },
      ),
      letterRows(
        kit,
        { keys: ['work_phone', 'mobile_phone', 'email', 'address'], gap: 0 },
        { work_phone: 'Practice', mobile_phone: 'On call', email: 'Email', address: 'Visit us' },
      ),
      logo(kit, 140, 40),
      rule(kit),
      legalLine(kit, privacy),
    ])
  },
}
