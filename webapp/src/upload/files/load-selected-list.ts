/** The list is loaded with the first choice of files. */
export const loadSelectedList = () => import('./SelectedList.vue')
