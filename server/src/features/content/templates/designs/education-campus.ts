import type { Design } from '../design.ts'
import { iconRows } from '../parts/contacts.ts'
import { below, row, rule, signature, spaceAtRight } from '../parts/layout.ts'
import { nameLine, roleLine, spaced } from '../parts/text.ts'

export const educationCampus: Design = {
  id: 'education-campus',
  name: 'Campus',
  description:
    'A line in the brand colour on top, the department over a large name, contact data in two columns.',
  category: 'education',
  build: kit =>
    signature([
      rule(kit, {
        displayName: 'Accent',
        color: kit.palette.fill,
        thickness: 4,
        blockStyle: { marginBottom: 12 },
      }),
      roleLine(kit, 'department', { ...spaced, color: kit.palette.accent }),
      below(4, nameLine(kit, { size: 'title' })),
      roleLine(kit, 'job_title'),
      roleLine(kit, 'company'),
      below(
        12,
        row(16, [
          spaceAtRight(16, iconRows(kit, { keys: ['work_phone', 'email'] })),
          iconRows(kit, { keys: ['website', 'address'] }),
        ]),
      ),
    ]),
}
