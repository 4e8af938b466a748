import type { Area } from '#records/area.ts'
import type people from './texts.en.json'

declare module '#texts/messages.ts' {
  interface Messages {
    readonly people: typeof people
  }
}

export default {
  id: 'people',
  needs: 'teammates:read',
  menu: { name: { en: 'People', de: 'Personen' }, icon: 'users', group: 2, order: 0 },
  pages: {
    '/people': { load: () => import('./people-page.tsx') },
    '/people/import': { load: () => import('./import-page.tsx'), needs: 'teammates:write' },
    '/people/$id': { load: () => import('./person-page.tsx'), texts: ['people', 'audit', 'installations'] },
  },
} satisfies Area
