import { createRouter, createWebHashHistory } from 'vue-router'
import HomePage from './HomePage.vue'
import MissingPage from './MissingPage.vue'

export const createAppRouter = () =>
  createRouter({
    history: createWebHashHistory(),
    routes: [
      { path: '/', component: HomePage },
      { path: '/:rest(.*)*', component: MissingPage },
    ],
  })
