-- SPDX-License-Identifier: Apache-2.0
drop database if exists :"name" with (force);
create database :"name";
