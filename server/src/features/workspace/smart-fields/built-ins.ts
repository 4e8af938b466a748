/** The fields that every workspace starts with. */
export const builtInFields = [
  { key: 'first_name', label: 'First name', kind: 'text' },
  { key: 'last_name', label: 'Last name', kind: 'text' },
  { key: 'job_title', label: 'Job title', kind: 'text' },
  { key: 'department', label: 'Department', kind: 'text' },
  { key: 'company', label: 'Company', kind: 'text' },
  { key: 'work_phone', label: 'Work phone', kind: 'phone' },
  { key: 'mobile_phone', label: 'Mobile phone', kind: 'phone' },
  { key: 'calendar_link', label: 'Calendar link', kind: 'url' },
  { key: 'profile_picture', label: 'Profile picture', kind: 'image' },
  { key: 'email', label: 'Email', kind: 'email' },
] as const

export type BuiltInField = (typeof builtInFields)[number]
