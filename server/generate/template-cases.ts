// People and brands with which every template must look right.
import type { Brand } from '#features/content/brand/index.ts'
import type { FieldKey } from '#features/content/templates/design.ts'

export interface TemplateCase {
  readonly name: string
  readonly person?: Partial<Readonly<Record<FieldKey, string>>>
  readonly brand?: Partial<Brand>
  readonly theme?: 'light' | 'dark'
  /** In CSS pixels. */
  readonly width?: number
  /** A campaign runs. */
  readonly hasBanner?: boolean
}

const emptyBrand: Partial<Brand> = {
  logo_asset_id: null,
  website: null,
  address: null,
  social: [],
  legal: null,
}

const onlyName = {
  job_title: '',
  department: '',
  company: '',
  work_phone: '',
  mobile_phone: '',
  calendar_link: '',
  profile_picture: '',
}

const long = {
  first_name: 'Maximiliane-Charlotte',
  last_name: 'von Hohenlohe-Langenburg-Weikersheim',
  job_title: 'Senior Vice President of International Business Development and Strategic Partnerships',
  department: 'Department of Interdisciplinary Environmental Research and Sustainable Infrastructure',
  company: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
  work_phone: '+49 (0) 7931 5550 1234 ext. 98765',
  email: 'maximiliane-charlotte.von-hohenlohe-langenburg@international.summit-consulting.example',
}

const chinese = {
  first_name: '美玲',
  last_name: '陈',
  job_title: '国际业务发展部高级副总裁',
  department: '战略合作与市场拓展部',
  company: '上海山峰咨询有限公司',
}

const arabic = {
  first_name: 'ليلى',
  last_name: 'بن علي',
  job_title: 'مديرة الشراكات الدولية',
  department: 'قسم تطوير الأعمال',
  company: 'شركة القمة للاستشارات',
}

export const templateCases: readonly TemplateCase[] = [
  { name: 'full' },
  { name: 'empty-brand', brand: emptyBrand },
  { name: 'only-name', person: onlyName, brand: emptyBrand },
  { name: 'long', person: long },
  { name: 'chinese', person: chinese },
  { name: 'arabic', person: arabic },
  { name: 'dark', theme: 'dark' },
  { name: 'phone', width: 351 },
  { name: 'banner', hasBanner: true },
  { name: 'banner-empty-brand', hasBanner: true, brand: emptyBrand },
  { name: 'phone-banner', hasBanner: true, width: 351 },
  { name: 'phone-long', person: long, width: 351 },
  {
    name: 'brand',
    brand: {
      colors: { primary: '#f2b705', text: '#1a1a2e', muted: null, link: null },
      font_family: 'Verdana',
    },
  },
]
