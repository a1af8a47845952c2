-- SPDX-License-Identifier: Apache-2.0
select outbox.set_route('*', 'bench');
