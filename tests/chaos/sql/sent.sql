-- SPDX-License-Identifier: Apache-2.0
select message from sent;
