import type { Design } from '../design.ts'
import { iconRows, letterRows } from '../parts/contacts.ts'
import { below, column, readingWidth, row, rule, signature } from '../parts/layout.ts'
import { button } from '../parts/links.ts'
import { portrait } from '../parts/pictures.ts'
import { legalLine, nameLine, roleLine, spaced } from '../parts/text.ts'

const privacy =
  'Please do not send medical information by email. In an emergency, call your local emergency number.'

export const healthDesigns: readonly Design[] = [
  {
    id: 'health-clinic',
    name: 'Clinic',
    description: 'Department, name and title beside the portrait, and a button for appointments.',
    category: 'health',
    build: kit =>
      signature([
        row(20, [
          portrait(kit, 96, 'rounded'),
          column([
            roleLine(kit, 'department', { ...spaced, color: kit.palette.accent }),
            nameLine(kit),
            roleLine(kit, 'job_title'),
            below(8, iconRows(kit, { keys: ['work_phone', 'email'] })),
            below(
              12,
              button(kit, { smartFieldUuid: kit.fields.calendar_link }, 'Book an appointment', {
                radius: 16,
              }),
            ),
          ]),
        ]),
      ]),
  },
  {
    id: 'health-practice',
    name: 'Practice',
    description: 'A heart on a coloured disc, contact data with words, and a note for patients.',
    category: 'health',
    build: kit => {
      const { palette } = kit
      const labels = { work_phone: 'Practice', mobile_phone: 'On call', email: 'Email', address: 'Visit us' }
      return signature(
        [
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
              column([nameLine(kit), roleLine(kit, 'job_title')]),
            ],
            { verticalAlign: 'middle', wrap: false },
          ),
          below(
            12,
            letterRows(kit, { keys: ['work_phone', 'mobile_phone', 'email', 'address'], gap: 0 }, labels),
          ),
          below(12, rule(kit)),
          below(8, legalLine(kit, privacy)),
        ],
        readingWidth,
      )
    },
  },
]
